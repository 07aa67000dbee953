"""Agents, the bases that each was granted, and what each was at every version"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agents",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("project_id", sa.String(length=30), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("grounding", sa.String(length=10), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_agents_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agents")),
        sa.UniqueConstraint("project_id", "name_key", name=op.f("uq_agents_project_id")),
    )
    op.create_table(
        "grants",
        sa.Column("agent_id", sa.String(length=30), nullable=False),
        sa.Column("base_id", sa.String(length=30), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["agent_id"], ["agents.id"], name=op.f("fk_grants_agent_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["base_id"], ["bases.id"], name=op.f("fk_grants_base_id")),
        sa.PrimaryKeyConstraint("agent_id", "base_id", name=op.f("pk_grants")),
    )
    op.create_index(op.f("ix_grants_base_id"), "grants", ["base_id"], unique=False)
    op.create_table(
        "agent_versions",
        sa.Column("agent_id", sa.String(length=30), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("grounding", sa.String(length=10), nullable=False),
        sa.Column("bases", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("agent_id", "version", name=op.f("pk_agent_versions")),
    )


def downgrade() -> None:
    op.drop_table("agent_versions")
    op.drop_table("grants")
    op.drop_table("agents")
