"""Serves the agents of this build: `python worker.py --help`."""

import sys
from pathlib import Path

from refdesk.package.worker.main import main

sys.exit(main(Path(__file__).absolute().parent, sys.argv[1:]))
