"""Credentials in every shape that people write them, and private keys."""

from refdesk.screening.credentials.pem import private_keys
from refdesk.screening.model import Detector, FindingClass

DETECTORS: dict[FindingClass, tuple[Detector, ...]] = {
    "private_key": (private_keys,),
    "credential": (),
}
