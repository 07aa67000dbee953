"""Data about people and their money: numbers that carry a checksum, addresses of mail and telephones.

Names and postal addresses are out of scope.
"""

from refdesk.screening.model import Detector, FindingClass
from refdesk.screening.personal.banking import ibans, payment_cards
from refdesk.screening.personal.contacts import emails, phones
from refdesk.screening.personal.national import national_ids

DETECTORS: dict[FindingClass, tuple[Detector, ...]] = {
    "payment_card": (payment_cards,),
    "iban": (ibans,),
    "national_id": (national_ids,),
    "email": (emails,),
    "phone": (phones,),
}
