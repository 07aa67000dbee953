"""What a chat model looked up and said in a run, the figures of references, and accounts with chat models"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("delivery", sa.String(length=10), nullable=True))
        batch_op.add_column(sa.Column("searches", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("rejected", sa.JSON(none_as_null=True), nullable=True))
        batch_op.alter_column("cost", existing_type=sa.Float(), nullable=True)
    op.add_column("run_references", sa.Column("figures", sa.JSON(none_as_null=True), nullable=True))
    op.add_column(
        "accounts", sa.Column("purpose", sa.String(length=10), nullable=False, server_default="embeddings")
    )


def downgrade() -> None:
    op.drop_column("accounts", "purpose")
    op.drop_column("run_references", "figures")
    op.execute("UPDATE runs SET cost = 0 WHERE cost IS NULL")
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.alter_column("cost", existing_type=sa.Float(), nullable=False)
        batch_op.drop_column("rejected")
        batch_op.drop_column("searches")
        batch_op.drop_column("delivery")
