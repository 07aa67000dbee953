"""PDF by pdfium, in the child: text page by page, then the pictures that are drawn on the pages.

pdfium is not thread safe, aborts where memory ends and can loop for ever: nothing of this runs in the server.
The form engine is never started (``init_forms``): a form of 2.5 KB can keep it busy for ever.
"""

from refdesk.reading.pdf.document import read_pdf

__all__ = ["read_pdf"]
