"""Alembic's entry: it runs on the connection, and in the transaction, that the caller holds."""

from alembic import context

from refdesk.catalog.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=False,
)
context.run_migrations()
