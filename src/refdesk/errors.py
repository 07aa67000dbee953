"""Everything that Refdesk refuses or fails at.

    RefdeskError
    ├── UsageError      the call is wrong; the caller must change it        exit 2
    ├── Refusal         this document, question or answer is not accepted   exit 3
    ├── NotFound        nothing of that name within the caller's reach      exit 4
    ├── NotPermitted    it exists, but not for this caller                  exit 5
    └── Failed          our side or a service failed; trying again may help exit 1

Each error has a stable ``code`` from ``CODES``, one sentence for a person, and ``limit`` and
``actual`` where a limit was hit. Every door renders the same four fields. ``retry_after``, in seconds, is set
where trying again may help.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Code:
    """What a code means, for the documentation, and the HTTP status that it answers with."""

    status: int
    meaning: str


CODES: dict[str, Code] = {
    # the document
    "too_large": Code(413, "The file has more bytes than the policy accepts."),
    "too_many_characters": Code(413, "The document has more text than the policy accepts."),
    "too_many_pages": Code(413, "The PDF has more pages than the policy accepts."),
    "too_many_passages": Code(413, "The document would give more passages than the policy accepts."),
    "blocked": Code(422, "Screening found what the policy blocks."),
    "review_required": Code(422, "Screening found what the policy wants a person to look at first."),
    "line_too_long": Code(422, "A line of the text is longer than the policy accepts."),
    "took_too_long": Code(422, "Reading the document took longer than the policy allows."),
    "scanned": Code(422, "The PDF is made of page images and has no text to read."),
    "password_protected": Code(422, "The file needs a password, or uses a protection that cannot be read."),
    "damaged": Code(422, "The file cannot be opened or read to its end."),
    "no_text": Code(422, "The document has no text."),
    "wrong_type": Code(422, "The content, the extension and the declared type do not agree."),
    "unsupported_type": Code(422, "Documents of this type are not read, or not under this policy."),
    "not_utf8": Code(422, "The text is neither UTF-8 nor UTF-16 with a mark."),
    "image_type": Code(422, "The image is of a type that is not kept."),
    "image_pixels": Code(422, "The image has more pixels than the policy accepts."),
    "image_bytes": Code(422, "The image takes more bytes than the policy accepts."),
    "image_size": Code(422, "The image is smaller than the policy accepts."),
    "image_decode": Code(422, "The image cannot be decoded, or is animated."),
    # the question
    "empty_question": Code(422, "The question has no letter or digit."),
    "question_too_short": Code(422, "The question has fewer characters than the policy accepts."),
    "question_too_long": Code(422, "The question has more characters than the policy accepts."),
    "top_k_out_of_range": Code(422, "top_k is outside the policy's range."),
    "deadline_out_of_range": Code(422, "The deadline is not between 0 and an hour."),
    "min_score_out_of_range": Code(422, "min_score is not between 0 and 1."),
    "min_score_with_keyword": Code(422, "min_score needs scores, and keyword search has none."),
    # the answer
    "not_covered": Code(200, "Nothing acceptable was found, so the model was not asked."),
    "not_accepted": Code(200, "The answer cites none of its references, which the grounding mode requires."),
    "searches_used_up": Code(429, "The call has searched as often as its policy allows."),
    # projects and bases
    "bad_name": Code(422, "A name is empty, too long or has control characters."),
    "name_taken": Code(409, "Something else already has this name, without regard to case."),
    "too_many_bases": Code(422, "The project has as many bases as the policy accepts."),
    "too_many_documents": Code(422, "The base has as many documents as the policy accepts."),
    "project_too_large": Code(422, "The project's documents hold as many characters as the policy accepts."),
    "too_many_grants": Code(422, "The agent would have more bases than the policy accepts."),
    "policy_fixed": Code(409, "The project exists with another policy."),
    "unknown_policy": Code(422, "There is no policy of that name."),
    "bad_source_url": Code(422, "The source address is no http or https address."),
    "bad_metadata": Code(422, "Metadata must be flat strings within the limits."),
    # people and keys
    "bad_email": Code(422, "The address is no e-mail address."),
    "bad_expiry": Code(422, "A key expires in 1 to 3,650 days, or not at all."),
    "unknown_role": Code(422, "There is no role of that name."),
    "unknown_scope": Code(422, "There is no scope of that name."),
    # provider accounts
    "account_unverified": Code(409, "The account has not been verified, so no base may use it."),
    "account_in_use": Code(409, "Bases use the account, so it is not deleted."),
    "account_fixed": Code(
        409, "The policy has one embedding model a deployment, so no base chooses its own."
    ),
    "host_not_allowed": Code(
        422, "The address is of a private network or without TLS, which the settings bar."
    ),
    "vectors_pending": Code(200, "The document is found by keyword, and its vectors are still to be made."),
    "secret_key": Code(500, "The key of the secrets at rest is missing, too short, or another."),
    # the call
    "usage": Code(400, "The call is wrong: its message says how."),
    "not_found": Code(404, "Nothing of that name or id is within the caller's reach."),
    "method_not_allowed": Code(405, "The address does not answer to that method."),
    "bad_value": Code(422, "A value of the request is out of range or of the wrong type."),
    "file_not_found": Code(404, "There is no such file or folder."),
    "figure_gone": Code(404, "The picture of a run's source is deleted: image no longer available."),
    "original_not_kept": Code(404, "The policy keeps no original of this document."),
    "unauthenticated": Code(401, "The request carries no key or session that holds."),
    "changed_meanwhile": Code(412, "The resource is not what it was when it was read."),
    "key_reused": Code(409, "The idempotency key was used for another request, or for one still in work."),
    "not_permitted": Code(403, "The caller may not do this."),
    "sign_in_unavailable": Code(503, "The provider that people sign in with does not answer as one."),
    # our side
    "embedding_unavailable": Code(503, "The embedding model cannot be used, so there are no new vectors."),
    "embedding_changed": Code(409, "The base holds vectors of another embedding model."),
    "screening_unavailable": Code(
        503, "The second screening engine cannot be used, so nothing was accepted."
    ),
    "model_unavailable": Code(503, "The chat model cannot be used."),
    "models_pull_failed": Code(
        503, "The model's weights could be fetched from no source, or did not verify."
    ),
    "index_damaged": Code(500, "A base's index cannot be read."),
    "bake_mismatch": Code(500, "A baked index was made with other settings than it is opened with."),
    "wrong_state": Code(409, "The document is not in a state in which this can be done."),
    "cancelled": Code(409, "Processing of the document was cancelled before it was done."),
    "reader_busy": Code(503, "The server reads as many PDFs as the policy accepts at a time."),
    "upload_broke_off": Code(503, "The process that reads uploads ended before this one was done."),
    "questions_busy": Code(503, "The server answers as many questions as it does at a time."),
    "rate_limited": Code(429, "The key has sent as many requests as it may in a minute."),
    "catalog_unavailable": Code(503, "The catalog's database does not answer, or is too busy."),
    "desk_newer": Code(500, "The desk was written by a newer version of Refdesk."),
    "failed": Code(500, "Something failed on our side: the message says what."),
}


def written(value: Scalar) -> Scalar:
    """As JSON can hold it, which has no number for *NaN* and *Infinity*."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


class RefdeskError(Exception):
    """``message`` is one sentence: what was wrong, the limit, the actual value, what to do."""

    exit_code: ClassVar[int] = 1
    default_code: ClassVar[str] = "failed"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        limit: Scalar = None,
        actual: Scalar = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code or self.default_code
        if self.code not in CODES:
            raise ValueError(f"{self.code} is not in errors.CODES")
        self.message = message
        self.limit = limit
        self.actual = written(actual)
        self.retry_after = retry_after

    @property
    def status(self) -> int:
        return CODES[self.code].status

    def to_dict(self) -> dict[str, Scalar]:
        return {"code": self.code, "message": self.message, "limit": self.limit, "actual": self.actual}


class UsageError(RefdeskError):
    exit_code = 2
    default_code = "usage"


class Refusal(RefdeskError):
    exit_code = 3
    default_code = "not_covered"


class NotFound(RefdeskError):
    exit_code = 4
    default_code = "not_found"


class NotPermitted(RefdeskError):
    exit_code = 5
    default_code = "not_permitted"


class Failed(RefdeskError):
    exit_code = 1
