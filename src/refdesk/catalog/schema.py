"""The catalog's tables. Times are UTC in ISO 8601; the same schema runs on SQLite and PostgreSQL."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    true,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# `served_at`: when work of the organization was last taken up, in seconds by the database's clock.
organizations = Table(
    "organizations",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("served_at", Float),
)

projects = Table(
    "projects",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("slug", String(64), nullable=False, unique=True),
    Column("policy", String(20), nullable=False),
    Column("overrides", JSON, nullable=False),
    Column("created_at", String(32), nullable=False),
)

# `scope` is the organization or the project, whichever a base's name is unique in (policy). `follows_policy`:
# nobody chose an embedding account (or none) for the base, so it has the policy's as soon as that is usable.
bases = Table(
    "bases",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False),
    Column("scope", String(30), nullable=False),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("slug", Text, nullable=False),
    Column("description", Text),
    Column("kind", String(10), nullable=False),
    Column("embedding_account_id", String(64)),
    Column("follows_policy", Boolean, nullable=False, server_default=true()),
    Column("created_at", String(32), nullable=False),
    UniqueConstraint("scope", "name_key"),
    UniqueConstraint("scope", "slug", name="uq_bases_slug"),
)

# `live_version` is the switch: the version that searches see, or null for none. `slot` is held by the worker
# that has it now. `title` is the document's own, `set_title` what somebody calls it instead.
documents = Table(
    "documents",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("base_id", ForeignKey("bases.id"), nullable=False),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("set_title", Text),
    Column("kind", String(10), nullable=False),
    Column("state", String(10), nullable=False),
    Column("code", String(40)),
    Column("error", Text),
    Column("version", Integer, nullable=False),
    Column("live_version", Integer),
    Column("source_url", Text),
    Column("metadata", JSON, nullable=False),
    Column("created_at", String(32), nullable=False),
    Column("queued_at", String(32), nullable=False),
    Column("slot", String(30)),
    Column("attempts", Integer, nullable=False),
    Index("ix_documents_base_id_name", "base_id", "name"),
    Index("ix_documents_queue", "state", "organization_id", "queued_at"),
)

# Background work that runs now, of whatever kind; `progress` as its worker last told it.
slots = Table(
    "slots",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("kind", String(10), nullable=False),
    Column("worker", Text, nullable=False),
    Column("started_at", Float, nullable=False),
    Column("lease_until", Float, nullable=False),
    Column("progress", JSON(none_as_null=True)),
)

# `files` names the version's folder among the blobs; `declared_type` is the content type of the upload.
# `seconds` is how long its worker took. `chars` and what follows are null until the version has been read;
# `pages` holds [number, start, end], `figures` {number, label, page, width, height, sha256}.
versions = Table(
    "versions",
    metadata,
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("files", String(30), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("chars", Integer),
    Column("passages", Integer),
    Column("seconds", Float),
    Column("pages", JSON),
    Column("figures", JSON, nullable=False),
    Column("notes", JSON, nullable=False),
    Column("declared_type", Text),
)

# Work that a deletion, a replacement or a broken-off upload still owes to index and blobs: done at once,
# and again at the next start where a crash came between. `document_id` null: the whole base; `below`: the
# index entries of older versions; `files`: an upload that was announced and has no row yet.
removals = Table(
    "removals",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("base_id", String(30), nullable=False),
    Column("document_id", String(30)),
    Column("below", Integer),
    Column("files", String(30)),
    Column("not_before", Float, nullable=False),
)

# `agent` to `knowledge_mode` are null where no agent was asked; `knowledge` holds {id, name} of its bases.
# `sha256` and `digests` are of the receipt as it was written, null before receipts had them. No foreign key
# to the agent: the receipt outlives it.
runs = Table(
    "runs",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False),
    Column("person", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("grounding", String(10), nullable=False),
    Column("outcome", String(24), nullable=False),
    Column("answer", Text),
    Column("message", Text),
    Column("citations", JSON, nullable=False),
    Column("warnings", JSON, nullable=False),
    Column("model", Text, nullable=False),
    Column("cost", Float),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("timings", JSON, nullable=False),
    Column("created_at", String(32), nullable=False),
    Column("agent", String(30), index=True),
    Column("agent_version", Integer),
    Column("knowledge", JSON(none_as_null=True)),
    Column("knowledge_mode", String(10)),
    Column("delivery", String(10)),
    Column("searches", JSON(none_as_null=True)),
    Column("rejected", JSON(none_as_null=True)),
    Column("digests", JSON(none_as_null=True)),
    Column("sha256", String(64)),
)

# One a run: the last that was given.
ratings = Table(
    "ratings",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("helpful", Boolean, nullable=False),
    Column("reason", String(20)),
    Column("note", Text),
    Column("person", Text, nullable=False),
    Column("at", String(32), nullable=False),
)

# `knowledge` holds {id, name} of the agent's bases, `documents` {document, version, position, sha256} of what
# stood in its prompt. No foreign key to the agent: the record outlives it.
calls = Table(
    "calls",
    metadata,
    Column("id", String(31), primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False),
    Column("agent", String(30), nullable=False),
    Column("agent_version", Integer, nullable=False),
    Column("knowledge", JSON, nullable=False),
    Column("knowledge_mode", String(10), nullable=False),
    Column("documents", JSON, nullable=False),
    Column("person", Text, nullable=False),
    Column("created_at", String(32), nullable=False),
)

# `passages` as the `documents` of a call. What follows `at` is null until the search has come to its end.
call_searches = Table(
    "call_searches",
    metadata,
    Column("call_id", ForeignKey("calls.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("query", Text, nullable=False),
    Column("at", String(32), nullable=False),
    Column("answered_by", String(10)),
    Column("took_ms", Float),
    Column("passages", JSON(none_as_null=True)),
)

# The exact text as issued. No foreign key to the document: the receipt outlives it.
run_references = Table(
    "run_references",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("base", Text, nullable=False),
    Column("document", String(30), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("source_url", Text),
    Column("section", Text),
    Column("page", Integer),
    Column("position", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("metadata", JSON, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("figures", JSON(none_as_null=True)),
)

# `organization_id` null: of the whole installation. No foreign keys: a line outlives what it is about.
audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", String(32), nullable=False),
    Column("person", Text, nullable=False),
    Column("action", String(40), nullable=False),
    Column("resource", String(64), nullable=False),
    Column("organization_id", String(30)),
    Column("project_id", String(30)),
)

# `organization_id` null: of every organization.
people = Table(
    "people",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("organization_id", ForeignKey("organizations.id")),
    Column("email", Text, nullable=False),
    Column("email_key", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("roles", JSON, nullable=False),
    Column("created_at", String(32), nullable=False),
    Column("signed_in_at", String(32)),
    Column("disabled_at", String(32)),
)

# Secrets of keys, sessions and links are random; only their SHA-256 is kept.
keys = Table(
    "keys",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("prefix", String(12), nullable=False, index=True),
    Column("sha256", String(64), nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("agent_id", String(30)),
    Column("created_at", String(32), nullable=False),
    Column("created_by", Text, nullable=False),
    Column("expires_at", String(32)),
    Column("revoked_at", String(32)),
    Column("last_used_at", String(32)),
)

sessions = Table(
    "sessions",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("person_id", ForeignKey("people.id"), nullable=False),
    Column("created_at", String(32), nullable=False),
    Column("expires_at", String(32), nullable=False),
)

links = Table(
    "links",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("person_id", ForeignKey("people.id"), nullable=False),
    Column("created_at", String(32), nullable=False),
    Column("expires_at", String(32), nullable=False),
)

# `purpose` is embeddings or answers. `secret` is sealed; `changed_at` moves with every change of what the
# account's embedder is made of.
accounts = Table(
    "accounts",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("purpose", String(10), nullable=False, server_default="embeddings"),
    Column("provider", String(20), nullable=False),
    Column("model", Text, nullable=False),
    Column("dimensions", Integer),
    Column("base_url", Text),
    Column("region", String(40)),
    Column("question_prefix", Text, nullable=False),
    Column("passage_prefix", Text, nullable=False),
    Column("secret", Text),
    Column("state", String(10), nullable=False),
    Column("error", Text),
    Column("created_at", String(32), nullable=False),
    Column("verified_at", String(32)),
    Column("changed_at", String(32), nullable=False),
    UniqueConstraint("project_id", "name_key"),
)

# `content` is the sealed answer; both it and `status` are null while the request is in work.
replies = Table(
    "replies",
    metadata,
    Column("caller", Text, primary_key=True),
    Column("route", Text, primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("at", Float, nullable=False, index=True),
    Column("fingerprint", String(64)),
    Column("status", Integer),
    Column("content", Text),
)

# `version` moves with every change; `model` null: the quoting model.
agents = Table(
    "agents",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("model", Text),
    Column("kind", String(10), nullable=False),
    Column("grounding", String(10), nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", String(32), nullable=False),
    UniqueConstraint("project_id", "name_key"),
)

# `number` is the base's place among the agent's.
grants = Table(
    "grants",
    metadata,
    Column("agent_id", ForeignKey("agents.id", ondelete="CASCADE"), primary_key=True),
    Column("base_id", ForeignKey("bases.id"), primary_key=True, index=True),
    Column("number", Integer, nullable=False),
)

# What an agent was at each version; `bases` holds {id, name}. No foreign key: what a call knew outlives both.
agent_versions = Table(
    "agent_versions",
    metadata,
    Column("agent_id", String(30), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("at", String(32), nullable=False),
    Column("person", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("model", Text),
    Column("kind", String(10), nullable=False),
    Column("grounding", String(10), nullable=False),
    Column("bases", JSON, nullable=False),
)
