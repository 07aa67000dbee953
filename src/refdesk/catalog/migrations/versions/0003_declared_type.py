"""The content type that a version was uploaded with"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("versions", sa.Column("declared_type", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("versions", "declared_type")
