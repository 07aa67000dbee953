"""One module a resource; ``ROUTERS`` is all of them."""

from refdesk.web.api.accounts import router as accounts
from refdesk.web.api.bases import router as bases
from refdesk.web.api.documents import router as documents
from refdesk.web.api.limits import router as limits

ROUTERS = (bases, documents, accounts, limits)
