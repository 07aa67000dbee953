"""``/v1``: files and vector stores as OpenAI's clients speak of them."""

from fastapi import FastAPI

from refdesk.web.doors import OPENAI
from refdesk.web.openai import batches, files, store_files, stores
from refdesk.web.openai.held import Held


def install(app: FastAPI) -> None:
    app.state.held = Held()
    for one in (files, stores, store_files, batches):
        app.include_router(one.router, prefix=OPENAI, include_in_schema=False)
