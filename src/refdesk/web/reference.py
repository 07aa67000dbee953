"""``/docs``: the OpenAPI document as a page for people, which loads nothing from anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from refdesk.web.page import page

_INTRODUCTION = """<p>Documents in, cited passages out, every answer with a receipt. This page is the
API of this server; the same as OpenAPI is at <a href="/openapi.json">/openapi.json</a>.
The web console comes in a later version; until then there are this API and the command line.</p>
<p>Each request carries a key, as <code>X-Api-Key</code> or <code>Authorization: Bearer</code>. Who may open
the desk makes one: <code>refdesk keys create</code>.</p>
<pre>curl -H "X-Api-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"name": "Handbook"}' {address}/v2/knowledge-bases
curl -H "X-Api-Key: $KEY" -H "Content-Type: text/markdown" --data-binary @hours.md \\
  "{address}/v2/knowledge-bases/$BASE/documents?name=hours.md"
curl -H "X-Api-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"query": "when do you open on Saturday?"}' \\
  {address}/v2/knowledge-bases/$BASE/search</pre>
<p>What is refused is told as <code>application/problem+json</code>: one sentence in <code>detail</code>,
a stable <code>code</code>, and <code>limit</code> and <code>actual</code> where a limit was hit.</p>"""

Schema = Mapping[str, Any]


def reference(app: FastAPI, address: str) -> HTMLResponse:
    document = app.openapi()
    by_tag: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            shown = _operation(method, path, operation, document["components"]["schemas"])
            by_tag.setdefault(operation["tags"][0], []).append(shown)
    groups = "\n".join(
        f"<h2>{escape(tag.capitalize())}</h2>\n{''.join(shown)}" for tag, shown in by_tag.items()
    )
    return page("The API of Refdesk", _INTRODUCTION.replace("{address}", escape(address)) + groups)


def _operation(method: str, path: str, operation: Schema, schemas: Schema) -> str:
    parts = [f"<p>{escape(operation['description'])}</p>"] if operation.get("description") else []
    parts += _table("Parameters", _parameters(operation))
    parts += _table("Body, as JSON", _fields(_content(operation.get("requestBody")), schemas))
    answer = next((one for status, one in operation["responses"].items() if status.startswith("2")), None)
    parts += _table("Answer", _fields(_content(answer), schemas))
    head = f'<span class="method">{method.upper()}</span> <code>{escape(path)}</code>'
    inside = "".join(parts) or "<p>Neither parameters nor a body.</p>"
    return f"<details><summary>{head} {escape(operation['summary'])}</summary><div>{inside}</div></details>\n"


def _table(title: str, rows: Iterator[tuple[str, str, str]]) -> list[str]:
    cells = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(kind)}</td><td>{escape(said)}</td></tr>"
        for name, kind, said in rows
    )
    return [f"<h3>{title}</h3><table>{cells}</table>"] if cells else []


def _parameters(operation: Schema) -> Iterator[tuple[str, str, str]]:
    for one in operation.get("parameters", ()):
        kind = f"{one['in']}, {_kind(one['schema'])}"
        yield one["name"], kind, one.get("description", "")


def _content(holder: Schema | None) -> Schema:
    content = (holder or {}).get("content", {})
    return dict(content.get("application/json", {}).get("schema", {}))


def _fields(schema: Schema, schemas: Schema) -> Iterator[tuple[str, str, str]]:
    schema = _resolved(schema, schemas)
    for name, one in schema.get("properties", {}).items():
        needed = "required" if name in schema.get("required", ()) else ""
        yield name, _kind(one), one.get("description", "") or needed
        if name == "items":
            for inner, kind, said in _fields(one.get("items", {}), schemas):
                yield f"items[].{inner}", kind, said


def _resolved(schema: Schema, schemas: Schema) -> Schema:
    name = schema.get("$ref", "").rpartition("/")[2]
    return dict(schemas[name]) if name else schema


def _kind(schema: Schema) -> str:
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("$ref", "").rpartition("/")[2] or schema.get("type", "anything"))
