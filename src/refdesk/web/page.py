"""Pages that need nothing from anywhere: one style, no script, and headers that let nothing else in."""

from __future__ import annotations

from html import escape

from fastapi.responses import HTMLResponse

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
}
PRIVATE = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
"""Headers of an answer whose address or content is one person's alone."""
_STYLE = """
:root { color-scheme: light dark;
  --line: #d5dbe3; --soft: #f3f5f8; --ink: #1c2733; --link: #1d5fa8; --ground: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --line: #36424f; --soft: #1b232c; --ink: #dfe6ee; --link: #8ab8ea; --ground: #11171d; } }
body { font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--ground);
  margin: 2.5rem auto 4rem; max-width: 54rem; padding: 0 1.2rem; }
main.narrow { max-width: 26rem; margin: 12vh auto; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 2.6rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
a { color: var(--link); }
code, pre { font: .92em/1.5 ui-monospace, monospace; }
pre, summary { border-radius: .4rem; }
pre { background: var(--soft); padding: .8rem 1rem; overflow-x: auto; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; }
summary { padding: .5rem .8rem; cursor: pointer; overflow-wrap: anywhere; }
details > div { padding: 0 .9rem .6rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0; }
tr { border-bottom: 1px solid var(--line); }
.method { display: inline-block; min-width: 4.2rem; font-weight: 600; }
button, a.button { font: inherit; display: inline-block; padding: .6rem 1.4rem; border: 0;
  background: #1d5fa8; color: #fff; cursor: pointer; text-decoration: none; border-radius: .4rem; }
:focus-visible { outline: 3px solid #8ab8ea; outline-offset: 2px; }
"""


def page(title: str, body: str, *, status: int = 200, narrow: bool = False) -> HTMLResponse:
    """``body`` is HTML, ``title`` is text."""
    text = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} · Refdesk</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<main{' class=narrow' if narrow else ''}>\n<h1>{escape(title)}</h1>\n{body}\n</main>\n"
        "</body>\n</html>\n"
    )
    return HTMLResponse(text, status, _HEADERS)


def notice(title: str, text: str, action: str = "", *, status: int = 200) -> HTMLResponse:
    """One sentence for one person; ``action`` is a ``button`` or a ``link``."""
    response = page(title, f"<p>{escape(text)}</p>\n{action}", status=status, narrow=True)
    response.headers.update(PRIVATE)
    return response


def button(address: str, label: str) -> str:
    """Sends a POST."""
    return f'<form method="post" action="{escape(address)}"><button>{escape(label)}</button></form>'


def link(address: str, label: str) -> str:
    """What leads to another site is a link: ``form-action`` would bar it."""
    return f'<a class="button" href="{escape(address)}">{escape(label)}</a>'
