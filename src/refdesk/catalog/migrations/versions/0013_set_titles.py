"""Titles that somebody has set, beside the documents' own"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("documents", sa.Column("set_title", sa.Text(), nullable=True))


def downgrade() -> None:
    op.execute("UPDATE documents SET title = set_title WHERE set_title IS NOT NULL")
    op.drop_column("documents", "set_title")
