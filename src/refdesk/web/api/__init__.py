"""One module a resource; ``ROUTERS`` is all of them."""

from refdesk.web.api.accounts import router as accounts
from refdesk.web.api.agents import router as agents
from refdesk.web.api.asking import router as asking
from refdesk.web.api.bases import router as bases
from refdesk.web.api.calls import router as calls
from refdesk.web.api.direct import router as direct
from refdesk.web.api.documents import router as documents
from refdesk.web.api.limits import router as limits
from refdesk.web.api.progress import router as progress
from refdesk.web.api.runs import router as runs

ROUTERS = (bases, progress, documents, direct, agents, asking, runs, calls, accounts, limits)
