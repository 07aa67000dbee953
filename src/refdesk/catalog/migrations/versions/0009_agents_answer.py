"""Runs of agents, with what each agent knew, and the hash over a receipt"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("agent", sa.String(length=30), nullable=True))
    op.add_column("runs", sa.Column("agent_version", sa.Integer(), nullable=True))
    op.add_column("runs", sa.Column("knowledge", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("runs", sa.Column("knowledge_mode", sa.String(length=10), nullable=True))
    op.add_column("runs", sa.Column("digests", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("runs", sa.Column("sha256", sa.String(length=64), nullable=True))
    op.create_index(op.f("ix_runs_agent"), "runs", ["agent"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_runs_agent"), table_name="runs")
    for column in ("sha256", "digests", "knowledge_mode", "knowledge", "agent_version", "agent"):
        op.drop_column("runs", column)
