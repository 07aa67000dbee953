"""The synthetic operations corpus is one world: what a document refers to exists where it must."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import combinations
from pathlib import Path

import pytest

from refdesk.demo.catalog import packs, sources
from refdesk.demo.source import Table, elements

INCIDENTS, SPECIFICATIONS = "company-ams-incident-digests", "company-solution-design-fds"
CALENDAR, RUNBOOKS = "company-change-and-downtime-calendar", "sap-operations-runbooks"
CORPUS = (INCIDENTS, SPECIFICATIONS, CALENDAR, RUNBOOKS)
BY_PACK = {
    pack.name: {source.name: source.body for source in sources(pack)}
    for pack in packs()
    if pack.name in CORPUS
}
DOCUMENTS = {name: body for pack in BY_PACK.values() for name, body in pack.items()}
DIGESTS = {body.split(":")[0].split()[1]: body for name, body in DOCUMENTS.items() if name.startswith("inc")}
PROBLEMS = {body.split(":")[0].split()[1]: body for name, body in DOCUMENTS.items() if name.startswith("prb")}
REVIEWS = {name: body for name, body in DOCUMENTS.items() if name.startswith("service-review")}
DOWNTIMES = DOCUMENTS["downtime-calendar-2026.md"]
RELEASES = DOCUMENTS["release-calendar-2026.md"]
WORLD = tomllib.loads((Path(__file__).parent / "world.toml").read_text("utf-8"))

ISO = r"2\d{3}-\d\d-\d\d"
CODES = {
    "incident": r"INC\d{7}",
    "problem": r"PRB\d{7}",
    "change": r"CHG\d{7}",
    "transport": r"\b[A-Z]{3}K9\d{5}",
    "specification": r"\b[FT]DS-[A-Z]{2}-\d{3}",
    "runbook": r"\bRB-\d\d",
    "downtime": r"\bDT-\d\d-\d\d",
    "freeze": r"\bF\d\d\b",
    "release": r"\bR2\d\.\d",
}


def codes(kind: str, text: str) -> set[str]:
    return set(re.findall(CODES[kind], text))


def rows(text: str, *heading: str) -> Iterator[dict[str, str]]:
    """Those of each table whose columns are (or begin with) ``heading``, without marks."""
    for element in elements(text):
        if isinstance(element, Table) and element.rows[0][: len(heading)] == heading:
            for row in element.rows[1:]:
                cells = [cell.replace("*", "") for cell in row]
                yield dict(zip(element.rows[0], cells, strict=True))


def day(text: str) -> date:
    found = re.search(ISO, text)
    assert found, text
    return date.fromisoformat(found[0])


# --- counts and form


@pytest.mark.req("DEMO1")
def test_the_counts_are_exact() -> None:
    assert {name: len(documents) for name, documents in BY_PACK.items()} == {
        INCIDENTS: 30,
        SPECIFICATIONS: 7,
        CALENDAR: 6,
        RUNBOOKS: 12,
    }
    assert len(DOCUMENTS) == 55
    kinds = Counter(re.sub(r"[-\d].*", "", name) for name in BY_PACK[INCIDENTS])
    assert kinds == {"inc": 24, "prb": 4, "service": 2}
    assert (len(DIGESTS), len(PROBLEMS), len(REVIEWS)) == (24, 4, 2)
    assert all(name.startswith(("fds-", "tds-")) for name in BY_PACK[SPECIFICATIONS])


@pytest.mark.req("DEMO1")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_has_its_length_and_a_heading_and_says_nothing_hidden(name: str) -> None:
    body = DOCUMENTS[name]
    assert 300 <= len(body.split()) <= 1500
    assert body.startswith("# ")
    assert not re.search(r"[\w.]+@[\w.]+|\b(?:Mr|Mrs|Ms|Dr)\b\.?|https?://|\+\d{2} \d", body)


@pytest.mark.req("DEMO1")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_its_last_line_is_keywords_that_the_text_knows(name: str) -> None:
    text, _, last = DOCUMENTS[name].rstrip("\n").rpartition("\n")
    assert last.startswith("Keywords: ")
    keywords = last.removeprefix("Keywords: ").split(", ")
    assert len(keywords) >= 8
    assert len(set(keywords)) == len(keywords)
    coded = [keyword for keyword in keywords if re.fullmatch(r"[A-Z][\w -]*\d[\w-]*|\w+_\w+", keyword)]
    assert [keyword for keyword in coded if keyword not in text] == []


@pytest.mark.req("DEMO1")
def test_no_two_documents_are_alike() -> None:
    shingles = {}
    for name, body in DOCUMENTS.items():
        words = re.findall(r"\w+", body.rpartition("\nKeywords:")[0].casefold())
        shingles[name] = {tuple(words[at : at + 5]) for at in range(len(words) - 4)}
    shared = {
        (one, other): len(shingles[one] & shingles[other]) / min(len(shingles[one]), len(shingles[other]))
        for one, other in combinations(shingles, 2)
    }
    assert {pair: share for pair, share in shared.items() if share > 0.08} == {}


@pytest.mark.req("DEMO1")
@pytest.mark.parametrize("name", BY_PACK[RUNBOOKS])
def test_a_runbook_names_no_company_system_incident_or_plant(name: str) -> None:
    body = BY_PACK[RUNBOOKS][name]
    ours = [*WORLD["systems"], *WORLD["hosts"], *WORLD["plants_and_company_codes"]]
    ours += [*WORLD["interfaces"], "North works", "South works", "Foundry", "Central warehouse"]
    assert [one for one in ours if re.search(rf"\b{re.escape(one)}\b", body, re.IGNORECASE)] == []
    assert re.findall(r"\bZ[A-Z0-9]*_\w+|\bZ[A-Z]{2} \d{3}\b", body) == []
    assert {kind: codes(kind, body) for kind in CODES if kind != "runbook" and codes(kind, body)} == {}
    assert re.findall(ISO, body) == []


# --- what is referred to exists


def existing(kind: str) -> set[str]:
    match kind:
        case "incident":
            return set(DIGESTS)
        case "problem":
            return set(PROBLEMS)
        case "change" | "transport":
            return {code for line in RELEASES.splitlines() if line[:1] == "|" for code in codes(kind, line)}
        case "specification":
            return {name[:10].upper() for name in BY_PACK[SPECIFICATIONS]}
        case "runbook":
            return {name[:5].upper() for name in BY_PACK[RUNBOOKS]}
        case "downtime":
            return {row["Downtime"] for row in rows(DOWNTIMES, "Downtime")}
        case "freeze":
            return {row["Freeze"] for row in rows(DOWNTIMES, "Freeze")}
        case _:
            return codes(kind, " ".join(row["Content"] for row in rows(DOWNTIMES, "Downtime")))


@pytest.mark.req("DEMO1")
@pytest.mark.parametrize("kind", CODES)
def test_what_is_referred_to_exists(kind: str) -> None:
    there = existing(kind)
    named = {name: codes(kind, body) - there for name, body in DOCUMENTS.items()}
    assert there
    assert {name: missing for name, missing in named.items() if missing} == {}
    elsewhere = " ".join(body for name, body in DOCUMENTS.items() if name not in {*BY_PACK[RUNBOOKS]})
    home = "downtime-calendar-2026.md" if kind in {"downtime", "freeze", "release"} else ""
    used = codes(kind, elsewhere.replace(DOCUMENTS[home], "") if home else elsewhere)
    assert used  # and somebody refers to it


@pytest.mark.req("DEMO1")
def test_names_are_those_of_the_landscape() -> None:
    known = {*WORLD["jobs"], *WORLD["objects"]}
    for body in DOCUMENTS.values():
        assert set(re.findall(r"\bIF-\d{3}\b", body)) <= set(WORLD["interfaces"])
        assert set(re.findall(r"\bZ[A-Z]{2} \d{3}\b", body)) <= set(WORLD["messages"])
        assert set(re.findall(r"\b(?:E1)?Z[A-Z0-9]*_?\w*[A-Z0-9]\b", body)) - known <= {
            message[:3] for message in WORLD["messages"]
        } | {f"Z{number}" for number in range(10)}
        assert set(re.findall(r"\bkxp-\w+", body)) <= set(WORLD["hosts"])
        for code in re.findall(r"(?:plants?|company codes?) (\d{4})", body):
            assert code in WORLD["plants_and_company_codes"]
    everything = " ".join(DOCUMENTS.values())
    for names in WORLD.values():
        assert [name for name in names if name not in everything] == []


@pytest.mark.req("DEMO1")
def test_an_incident_and_its_problem_record_name_each_other() -> None:
    for number, record in PROBLEMS.items():
        about = {incident for incident, digest in DIGESTS.items() if number in digest.split("Keywords:")[1]}
        assert about
        assert about == codes("incident", record.split("Keywords:")[1])
        assert codes("change", record)


@pytest.mark.req("DEMO1")
def test_a_transport_belongs_to_one_change() -> None:
    owner = {}
    for line in RELEASES.splitlines():
        for transport in codes("transport", line):
            [change] = codes("change", line)
            assert owner.setdefault(transport, change) == change
    for name, body in DOCUMENTS.items():
        for transport in codes("transport", body):
            assert owner[transport] in body, f"{name} names {transport} without {owner[transport]}"


# --- dates


def is_working(one: date) -> bool:
    holidays = re.search(r"no working days besides weekends: ([^.]+)\.", " ".join(DOWNTIMES.split()))
    assert holidays
    return one.weekday() < 5 and one.isoformat() not in re.findall(ISO, holidays[1])


@pytest.mark.req("DEMO1")
def test_every_date_exists_on_the_weekday_that_is_said() -> None:
    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    said = 0
    for name, body in DOCUMENTS.items():
        for found in re.findall(ISO, body):
            assert date.fromisoformat(found), name
        plain = " ".join(body.split())
        pairs = re.findall(rf"\b([A-Z]\w+day)(?: on|,)? ({ISO})", plain)
        pairs += [(weekday, found) for found, weekday in re.findall(rf"({ISO}) \(?([A-Z]\w+day)\b", plain)]
        for weekday, found in pairs:
            assert names[date.fromisoformat(found).weekday()] == weekday, (name, weekday, found)
            said += 1
    assert said > 50


@pytest.mark.req("DEMO1")
def test_freezes_are_counted_by_working_days() -> None:
    freezes = list(rows(DOWNTIMES, "Freeze"))
    assert len(freezes) == 11
    for row in freezes:
        first = day(row["WD1"])
        old = [first - timedelta(days=back) for back in range(15, 0, -1)]
        new = [first + timedelta(days=on) for on in range(15)]
        assert is_working(first)
        assert not any(is_working(first.replace(day=1) + timedelta(days=on)) for on in range(first.day - 1))
        assert [one for one in old if is_working(one)][-2] == day(row["Begins (18:00)"])
        assert [one for one in new if is_working(one)][4] == day(row["Ends (18:00)"])


def frozen(one: date) -> set[str]:
    return {
        row["Freeze"]
        for row in rows(DOWNTIMES, "Freeze")
        if day(row["Begins (18:00)"]) <= one <= day(row["Ends (18:00)"])
    }


@pytest.mark.req("DEMO1")
def test_changes_keep_to_windows_and_freezes() -> None:
    weekly = list(rows(RELEASES, "Change", "Date", "Subject", "Transport"))
    emergencies = list(rows(RELEASES, "Change", "Date", "Subject", "In a freeze"))
    assert (len(weekly), len(emergencies)) == (11, 6)
    for row in weekly:
        assert day(row["Date"]).weekday() in {1, 3}  # Tuesday, Thursday
        assert not frozen(day(row["Date"]))
    for row in emergencies:
        assert (frozen(day(row["Date"])) or {"no"}) == {row["In a freeze"]}
    for row in (*weekly, *emergencies):
        told = [body for name, body in DOCUMENTS.items() if row["Change"] in body and body is not RELEASES]
        assert told
        assert any(row["Date"] in body for body in told), row


@pytest.mark.req("DEMO1")
def test_downtimes_last_as_long_as_planned_and_stay_out_of_freezes() -> None:
    downtimes = {row["Downtime"]: row for row in rows(DOWNTIMES, "Downtime")}
    for row in downtimes.values():
        start, end = (
            datetime.strptime(" ".join(row[one].split()[1:]), "%Y-%m-%d %H:%M") for one in ("From", "To")
        )
        assert (end - start) == timedelta(hours=int(row["Planned hours"]))
        assert not frozen(start.date())
        assert not frozen(end.date())
    milestones = {row["Milestone"]: row for row in rows(RELEASES, "Milestone")}
    for release in ("R26.1", "R26.2", "R26.3", "R26.4"):
        downtime = downtimes[milestones["Downtime"][release]]
        assert release in downtime["Content"]
        assert milestones["In production"][release] == day(downtime["To"]).isoformat()
        dates = [row[release] for name, row in milestones.items() if name != "Downtime"]
        assert dates == sorted(dates)


@pytest.mark.req("DEMO1")
@pytest.mark.parametrize("name", REVIEWS)
def test_a_review_counts_the_digests_of_its_month(name: str) -> None:
    body, month = REVIEWS[name], name.removeprefix("service-review-").removesuffix(".md")
    opened = {number for number, digest in DIGESTS.items() if str(day(digest)).startswith(month)}
    listed = codes("incident", " ".join(line for line in body.splitlines() if line[:1] == "|"))
    assert listed == opened
    for row in rows(body, "Incident"):
        digest = " ".join(DIGESTS[row["Incident"]].split())
        assert day(row["Opened"]) == day(digest)
        assert row["Duration"] in {"–", "47 min"} or row["Duration"] in digest
