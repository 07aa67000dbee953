"""Provider accounts, and whether a base follows the policy's account or has one that somebody chose"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("project_id", sa.String(length=30), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("provider", sa.String(length=20), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("dimensions", sa.Integer(), nullable=True),
        sa.Column("base_url", sa.Text(), nullable=True),
        sa.Column("region", sa.String(length=40), nullable=True),
        sa.Column("question_prefix", sa.Text(), nullable=False),
        sa.Column("passage_prefix", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.Column("verified_at", sa.String(length=32), nullable=True),
        sa.Column("changed_at", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_accounts_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("project_id", "name_key", name=op.f("uq_accounts_project_id")),
    )
    op.add_column(
        "bases", sa.Column("follows_policy", sa.Boolean(), nullable=False, server_default=sa.true())
    )


def downgrade() -> None:
    op.drop_column("bases", "follows_policy")
    op.drop_table("accounts")
