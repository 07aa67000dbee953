"""Compiles the inner loops of the local index for the machine that installs.

Without a C compiler the wheel is one of Python alone, which runs those loops in numpy.
``HATCH_BUILD_NO_HOOKS=true`` makes that one on purpose.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
import zlib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNELS = "src/refdesk/index/local/kernels"
FLAGS = ["-O3", "-ffp-contract=off", "-fvisibility=hidden", "-fPIC", "-shared"]


class CompileKernels(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        library = Path(self.root, KERNELS, "kernels.so")
        library.unlink(missing_ok=True)
        why = compiled(library.with_suffix(".c"), library)
        if why:
            self.app.display_warning(f"Searches will run in numpy, which is slower: {why}")
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["artifacts"].append(f"/{KERNELS}/{library.name}")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"


def compiled(source: Path, library: Path) -> str | None:
    """Why it was not, if it was not. A process that has an older library loaded keeps that."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(compiler[0]) is None:
        return f"there is no C compiler {compiler[0]!r}."
    made = library.with_name(f".kernels.{os.getpid()}.so")
    flags = [*FLAGS, f"-DSOURCE={zlib.crc32(source.read_bytes())}"]
    done = subprocess.run(
        [*compiler, *flags, "-o", made, source], capture_output=True, text=True, check=False
    )
    if done.returncode:
        made.unlink(missing_ok=True)
        return f"{compiler[0]} ended with {done.returncode}: {done.stderr.strip()[-500:]}"
    made.replace(library)
    return None
