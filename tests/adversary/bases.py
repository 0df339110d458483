# SPDX-License-Identifier: GPL-2.0-only
"""The undamaged disks, made once a run, and the known content of each."""

import os

import kernel
import made
from disk import Contents
from oracle import Case, SUPER
from truth import Truth

NAMES = [row[0] for row in made.BASES + kernel.BASES]


class Doubtful(Exception):
    """The two witnesses do not agree on an undamaged log."""


class Base:
    def __init__(self, name, disk):
        self.name, self.disk = name, disk
        self.truth = Truth(disk)
        self.sealed = None
        self.findings = set()
        self.all = []
        self.super, self.journal_super = self._supers(disk)
        # s_feature_ro_compat: metadata_csum
        self.has_csums = bool(self.super[0x65] & 4)

    def _supers(self, disk):
        at = self.truth.physical[self.truth.super_block]
        with Contents(disk.image) as image, \
                Contents(self.truth.log_file(disk)) as log:
            return (image.bytes_at(SUPER, 1024),
                    log.bytes_at(at * self.truth.block_size, 1024))

    def witness(self, tools, scratch):
        """e2fsck's replay of the undamaged log leaves what is known."""
        after = self.disk.copy_to(scratch)
        tools.e2fsck(after, '-E', 'journal_only', '-y')
        case = Case(self, _Sound(), self.disk)
        with Contents(after.image) as contents:
            differ = case.differing(contents, self.truth.result)
        if differ or not self.truth.result or not case.is_finished(after):
            raise Doubtful(f'{self.name}: e2fsck leaves {len(differ)} blocks '
                           'otherwise than the second reader')

    def look(self, tools, scratch):
        """Material for damage: the programs' output for it undamaged."""
        said = tools.run('e2lazyck', tools.e2lazyck, '--json',
                         *self.disk.words())
        self.findings = set(said.finding_ids)
        after = self.disk.copy_to(scratch)
        if tools.write_back('-p', after).status == 1:
            self.sealed = self._supers(after)


class _Sound:
    """Nothing is damaged."""

    @staticmethod
    def is_whole(_):
        return True


def _made(directory, tools, missing):
    """Name and disk of each base that can be made here."""
    for row in made.BASES:
        yield row[0], made.make(row[0], directory, tools)
    why = kernel.why_not(directory)
    if why:
        missing['logs of the running kernel'] = why
        return
    for row in kernel.BASES:
        try:
            yield row[0], kernel.make(row[0], directory, tools)
        except kernel.Impossible as why:
            missing[row[0]] = str(why)


def make_all(directory, tools):
    """{name: Base}, and {name: why} of what cannot be made here"""
    bases, missing = {}, {}
    scratch = os.path.join(directory, 'witness')
    for name, disk in _made(directory, tools, missing):
        base = bases[name] = Base(name, disk)
        base.witness(tools, scratch)
        base.look(tools, scratch)
    for base in bases.values():
        base.all = list(bases.values())
    return bases, missing
