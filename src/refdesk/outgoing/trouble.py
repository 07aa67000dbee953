"""What can go wrong with a service, told apart, and said without the key or anything that was sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus

_TELLING = 16  # characters in a row that show that a message quotes what was sent
_DETAIL = 200


@dataclass(frozen=True, slots=True)
class Told:
    """What an answer that is no success says: its sentence for people, and whether a quota is used up, the
    key is wrong, or how many seconds the service wants to be left alone."""

    message: str = ""
    quota: bool = False
    key: bool = False
    after: float = 0.0


class Trouble(Exception):
    """``said`` continues the name of the service; ``detail`` is the service's own sentence, still to be
    checked; ``again`` where another try may help, after ``after`` seconds at least."""

    def __init__(self, said: str, *, detail: str = "", again: bool = False, after: float = 0.0) -> None:
        super().__init__(said)
        self.said = said
        self.detail = detail
        self.again = again
        self.after = after

    def sentence(self, who: str, sent: Iterable[str]) -> str:
        """``who``: the service, as a sentence begins with it. A detail that quotes what was ``sent`` is left
        out."""
        detail = " ".join(self.detail.split(". ")[0].split())[:_DETAIL].rstrip(".")
        if detail and not any(_quotes(detail, text) for text in sent):
            return f'{who} {self.said}; it says "{detail}".'
        return f"{who} {self.said}."


def _quotes(detail: str, sent: str) -> bool:
    """Whether a run of what was sent stands in the detail: the whole of it where it is shorter."""
    sent, detail = " ".join(sent.split()), detail.casefold()
    if not sent:
        return False
    width = min(_TELLING, len(sent))
    runs = (detail[start : start + width] for start in range(len(detail) - width + 1))
    folded = sent.casefold()
    return any(run in folded for run in runs)


def refused_answer(status: int, told: Told, model: str) -> Trouble:
    """The trouble behind a status that is no success."""
    if told.quota or status == HTTPStatus.PAYMENT_REQUIRED:
        return Trouble(f"says that the quota is used up ({status}): see the account's plan and billing")
    if told.key or status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return Trouble(f"refuses the key ({status}): check the account's key and what it may use")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return Trouble(f"is asked too often ({status}): try again later", again=True, after=told.after)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.REQUEST_TIMEOUT:
        said = f"failed ({status}): try again later"
        return Trouble(said, detail=told.message, again=True, after=told.after)
    if status == HTTPStatus.NOT_FOUND:
        return Trouble(f"has nothing for the model {model} ({status})", detail=told.message)
    return Trouble(f"does not accept the request ({status})", detail=told.message)


def hang(seconds: float) -> Trouble:
    return Trouble(f"did not answer within {round(seconds, 1):g} s")


def unreachable(why: str) -> Trouble:
    return Trouble(f"cannot be reached ({why})")


def closed() -> Trouble:
    return Trouble("closed the connection before it had answered", again=True)


def unlike(asked: str, what: str) -> Trouble:
    """Something else than was ``asked`` for."""
    return Trouble(f"answered with something else than {asked} ({what})")
