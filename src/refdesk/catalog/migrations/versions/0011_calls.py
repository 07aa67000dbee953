"""Calls of agents, and what was searched in each"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "calls",
        sa.Column("id", sa.String(length=31), nullable=False),
        sa.Column("project_id", sa.String(length=30), nullable=False),
        sa.Column("agent", sa.String(length=30), nullable=False),
        sa.Column("agent_version", sa.Integer(), nullable=False),
        sa.Column("knowledge", sa.JSON(), nullable=False),
        sa.Column("knowledge_mode", sa.String(length=10), nullable=False),
        sa.Column("documents", sa.JSON(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_calls_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_calls")),
    )
    op.create_table(
        "call_searches",
        sa.Column("call_id", sa.String(length=31), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("answered_by", sa.String(length=10), nullable=True),
        sa.Column("took_ms", sa.Float(), nullable=True),
        sa.Column("passages", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["call_id"], ["calls.id"], name=op.f("fk_call_searches_call_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("call_id", "number", name=op.f("pk_call_searches")),
    )


def downgrade() -> None:
    op.drop_table("call_searches")
    op.drop_table("calls")
