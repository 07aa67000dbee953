"""People, keys, sessions and sign-in links; organizations by name; whom an audit line concerns"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("organization_id", sa.String(length=30), nullable=True),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("email_key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("roles", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.Column("signed_in_at", sa.String(length=32), nullable=True),
        sa.Column("disabled_at", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_people_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("email_key", name=op.f("uq_people_email_key")),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("project_id", sa.String(length=30), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("prefix", sa.String(length=12), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("agent_id", sa.String(length=30), nullable=True),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.String(length=32), nullable=True),
        sa.Column("revoked_at", sa.String(length=32), nullable=True),
        sa.Column("last_used_at", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_keys_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_keys")),
    )
    op.create_index(op.f("ix_keys_prefix"), "keys", ["prefix"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=30), nullable=False),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.Column("expires_at", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_sessions_person_id")),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_sessions")),
    )
    op.create_table(
        "links",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=30), nullable=False),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.Column("expires_at", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_links_person_id")),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_links")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.add_column(sa.Column("organization_id", sa.String(length=30), nullable=True))
        batch_op.add_column(sa.Column("project_id", sa.String(length=30), nullable=True))
    with op.batch_alter_table("organizations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("name_key", sa.Text(), nullable=True))
    # until now an organization had the slug of its one project for a name: lower case, and unique
    op.execute("UPDATE organizations SET name_key = name")
    with op.batch_alter_table("organizations", schema=None) as batch_op:
        batch_op.alter_column("name_key", existing_type=sa.Text(), nullable=False)
        batch_op.create_unique_constraint(batch_op.f("uq_organizations_name_key"), ["name_key"])


def downgrade() -> None:
    with op.batch_alter_table("organizations", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("uq_organizations_name_key"), type_="unique")
        batch_op.drop_column("name_key")
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.drop_column("project_id")
        batch_op.drop_column("organization_id")
    op.drop_table("links")
    op.drop_table("sessions")
    op.drop_index(op.f("ix_keys_prefix"), table_name="keys")
    op.drop_table("keys")
    op.drop_table("people")
