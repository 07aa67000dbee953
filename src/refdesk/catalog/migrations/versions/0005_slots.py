"""Background work holds slots; documents know their organization, whose turn the queue asks for"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "slots",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("organization_id", sa.String(length=30), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=False),
        sa.Column("lease_until", sa.Float(), nullable=False),
        sa.Column("progress", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_slots_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slots")),
    )
    op.create_index(op.f("ix_slots_organization_id"), "slots", ["organization_id"], unique=False)
    op.add_column("organizations", sa.Column("served_at", sa.Float(), nullable=True))
    op.add_column("documents", sa.Column("organization_id", sa.String(length=30), nullable=True))
    op.add_column("documents", sa.Column("slot", sa.String(length=30), nullable=True))
    op.execute(
        "UPDATE documents SET organization_id = (SELECT projects.organization_id FROM projects "
        "JOIN bases ON bases.project_id = projects.id WHERE bases.id = documents.base_id)"
    )
    op.execute("UPDATE documents SET state = 'queued' WHERE state = 'indexing'")  # an old lease means nothing
    op.drop_index("ix_documents_state_queued_at", table_name="documents")
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.drop_column("claimed_by")
        batch_op.drop_column("lease_until")
        batch_op.alter_column("organization_id", existing_type=sa.String(length=30), nullable=False)
        batch_op.create_foreign_key(
            batch_op.f("fk_documents_organization_id"), "organizations", ["organization_id"], ["id"]
        )
    op.create_index(
        "ix_documents_queue", "documents", ["state", "organization_id", "queued_at"], unique=False
    )


def downgrade() -> None:
    op.drop_index("ix_documents_queue", table_name="documents")
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("fk_documents_organization_id"), type_="foreignkey")
        batch_op.drop_column("organization_id")
        batch_op.drop_column("slot")
        batch_op.add_column(sa.Column("claimed_by", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("lease_until", sa.Float(), nullable=True))
    op.create_index("ix_documents_state_queued_at", "documents", ["state", "queued_at"], unique=False)
    op.drop_column("organizations", "served_at")
    op.drop_table("slots")
