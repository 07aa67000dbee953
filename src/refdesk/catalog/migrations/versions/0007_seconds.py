"""How long a version took its worker, for the time that the rest will take"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("versions", sa.Column("seconds", sa.Float(), nullable=True))


def downgrade() -> None:
    op.drop_column("versions", "seconds")
