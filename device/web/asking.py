"""What a handler needs of a request: the table, the role, the language, a body that is in order."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rules.errors import ToreshiError

from ..locale import sentence
from . import words
from .access import Access
from .foreign import N_
from .roles import Role
from .table import Table

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
Need = Literal["anybody", "reader", "arbiter"]


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages share.

    Attributes:
        table: the board.
        access: who is who.
        games: folder of the games.
        lang: language of a browser that asks for none of ours.
    """

    table: Table
    access: Access
    games: Path
    lang: str = "en"


def site_of(request: Request) -> Site:
    """The site that a request came to."""
    site: Site = request.app.state.site
    return site


def role_of(request: Request) -> Role:
    """What one who asks is."""
    return site_of(request).access.role(request.cookies)


def lang_of(request: Request) -> str:
    """The language in which to answer."""
    return words.choose(
        request.query_params.get("lang", ""),
        request.cookies.get(words.COOKIE, ""),
        request.headers.get("accept-language", ""),
        site_of(request).lang,
    )


def address_of(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""


def refuse(request: Request, status: int, text: str, **more: Any) -> JSONResponse:
    """A refusal with one sentence, in the browser's language."""
    return JSONResponse({"error": sentence(text, lang_of(request)), **more}, status)


def needs(need: Need) -> Callable[[Handler], Handler]:
    """A handler that only some may use; input that is no good is answered with 400."""

    def wrap(handler: Handler) -> Handler:
        @wraps(handler)
        async def guarded(request: Request) -> Response:
            role = role_of(request)
            if need == "arbiter" and not role.arbiter:
                return refuse(request, 403, N_("Only the arbiter may do that."))
            if need == "reader" and not role.reads:
                return refuse(request, 403, N_("This board is not open to everybody."))
            try:
                return await handler(request)
            except ToreshiError as error:
                return refuse(request, 400, error.what, where=error.where, expected=error.expected)

        return guarded

    return wrap


class BadRequest(ToreshiError):
    """A body or a parameter that is no good."""


async def body_of(request: Request, **fields: type) -> dict[str, Any]:
    """The JSON object in a body, with these fields at most, each of its type.

    Raises:
        BadRequest: it is none.
    """
    try:
        row = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise BadRequest("no JSON", "body", "a JSON object") from None
    if not isinstance(row, dict):
        raise BadRequest("no JSON object", "body", "a JSON object")
    unknown = sorted(set(row) - set(fields))
    if unknown:
        raise BadRequest(f"field {printable(unknown[0])}", "body", ", ".join(fields) or "no fields")
    for name, kind in fields.items():
        if name in row and not isinstance(row[name], kind):
            raise BadRequest(f"a wrong {name}", "body", f"{name} of type {kind.__name__}")
        if isinstance(row.get(name), str) and not row[name].isprintable():
            raise BadRequest(f"a wrong {name}", "body", "one line of text")
    return row


def printable(text: str) -> str:
    """A text that somebody sent, as it may stand in an answer."""
    return repr(text[:40]).encode("ascii", "backslashreplace").decode()
