# SPDX-License-Identifier: GPL-2.0-only
"""Cases that went wrong elsewhere, retold: name, steps of the full commit, steps
of the fast one, and whether each step has its fsync."""

STORIES = (
    # Links to one file, made and removed around an fsync (as generic/039).
    ("a link removed after the fsync of its file",
     ("link",), ("link", "unlink", "append"), True),
    # Many small files, each with its own fsync (as generic/047).
    ("many small files", (), ("small_files",), False),
    # Files that are renamed over each other while others grow (as generic/241).
    ("renames among growing files", (),
     ("append", "rename_over", "create", "append", "rename_over", "write"),
     True),
    # Overwriting, truncating and allocating in one file (as generic/455).
    ("one file, many ways", (),
     ("write", "truncate", "fallocate", "punch", "append", "zero_range",
      "truncate", "write"), True),
    ("a directory without an index grows", (), ("many_names",), False),
    ("a directory gets names and loses some", (),
     ("mkdir", "many_names", "many_gone"), False),
    ("names in a directory with an index", ("many_names",),
     ("more_names", "many_gone"), False),
    ("a made directory is gone again", (),
     ("mkdir", "create", "write", "unlink", "rmdir"), True),
    ("a deleted file is still open", (), ("open_and_unlink",), False),
    ("attributes of a deleted file", ("long_xattr",), ("unlink",), False),
    ("attributes that two files share", ("shared_xattr",), ("unlink",), False),
    ("a map with a tree is deleted", ("fragment",), ("unlink", "fragment"),
     False),
    ("a map loses its tree", ("fragment",), ("truncate", "append"), False),
    ("an unnamed file gets a name", (), ("tmpfile",), False),
)
