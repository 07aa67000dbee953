"""The first schema"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("resource", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "organizations",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organizations")),
    )
    op.create_table(
        "removals",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("base_id", sa.String(length=30), nullable=False),
        sa.Column("document_id", sa.String(length=30), nullable=True),
        sa.Column("below", sa.Integer(), nullable=True),
        sa.Column("files", sa.String(length=30), nullable=True),
        sa.Column("not_before", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_removals")),
    )
    op.create_table(
        "projects",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("organization_id", sa.String(length=30), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("policy", sa.String(length=20), nullable=False),
        sa.Column("overrides", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_projects_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
        sa.UniqueConstraint("slug", name=op.f("uq_projects_slug")),
    )
    op.create_table(
        "bases",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("project_id", sa.String(length=30), nullable=False),
        sa.Column("scope", sa.String(length=30), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("embedding_account_id", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_bases_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bases")),
        sa.UniqueConstraint("scope", "name_key", name=op.f("uq_bases_scope")),
        sa.UniqueConstraint("scope", "slug", name="uq_bases_slug"),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("project_id", sa.String(length=30), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("grounding", sa.String(length=10), nullable=False),
        sa.Column("outcome", sa.String(length=24), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("citations", sa.JSON(), nullable=False),
        sa.Column("warnings", sa.JSON(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("timings", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_runs_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    op.create_table(
        "documents",
        sa.Column("id", sa.String(length=30), nullable=False),
        sa.Column("base_id", sa.String(length=30), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("live_version", sa.Integer(), nullable=True),
        sa.Column("source_url", sa.Text(), nullable=True),
        sa.Column("metadata", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.Column("queued_at", sa.String(length=32), nullable=False),
        sa.Column("claimed_by", sa.String(length=64), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["base_id"], ["bases.id"], name=op.f("fk_documents_base_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
    )
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.create_index("ix_documents_base_id_name", ["base_id", "name"], unique=False)
        batch_op.create_index("ix_documents_state_queued_at", ["state", "queued_at"], unique=False)

    op.create_table(
        "run_references",
        sa.Column("run_id", sa.String(length=30), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("document", sa.String(length=30), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("source_url", sa.Text(), nullable=True),
        sa.Column("section", sa.Text(), nullable=True),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("metadata", sa.JSON(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_references_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "number", name=op.f("pk_run_references")),
    )
    with op.batch_alter_table("run_references", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_run_references_document"), ["document"], unique=False)

    op.create_table(
        "versions",
        sa.Column("document_id", sa.String(length=30), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("files", sa.String(length=30), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("chars", sa.Integer(), nullable=True),
        sa.Column("passages", sa.Integer(), nullable=True),
        sa.Column("pages", sa.JSON(), nullable=True),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_versions_document_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", "version", name=op.f("pk_versions")),
    )


def downgrade() -> None:
    op.drop_table("versions")
    with op.batch_alter_table("run_references", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_run_references_document"))

    op.drop_table("run_references")
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.drop_index("ix_documents_state_queued_at")
        batch_op.drop_index("ix_documents_base_id_name")

    op.drop_table("documents")
    op.drop_table("runs")
    op.drop_table("bases")
    op.drop_table("projects")
    op.drop_table("removals")
    op.drop_table("organizations")
    op.drop_table("audit")
