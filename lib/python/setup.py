# SPDX-License-Identifier: LGPL-2.1-or-later
"""Builds the module against the libe2lazy that is installed; its version is that of
the library."""
import glob
import os
import shlex
import subprocess

from setuptools import Extension, setup


def pkg_config(*options):
    """What pkg-config says of libe2lazy."""
    program = os.environ.get("PKG_CONFIG", "pkg-config")
    return subprocess.run([program, *options, "e2lazy"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


setup(
    version=pkg_config("--modversion"),
    packages=["e2lazy"],
    package_data={"e2lazy": ["py.typed", "*.pyi"]},
    ext_modules=[Extension(
        "e2lazy._e2lazy", sorted(glob.glob("*.c")),
        depends=sorted(glob.glob("*.h")), py_limited_api=True,
        define_macros=[("_GNU_SOURCE", None), ("_FILE_OFFSET_BITS", "64")],
        extra_compile_args=shlex.split(pkg_config("--cflags")) +
        ["-fvisibility=hidden"],
        extra_link_args=shlex.split(pkg_config("--libs")))],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
