# SPDX-License-Identifier: GPL-2.0-only
"""Runs the programs, within limits of time and memory."""

import json
import os
import resource
import subprocess

TIMEOUT = 20                    # seconds; each takes some hundredths
MEMORY = 1 << 30                # of address space
# A disk does not grow: e2fsck would lengthen an image by terabytes.
FILE_SIZE = 32 << 20
ALL_BITS = 1 | 4 | 8

READERS = [('e2lazy', 'info', '--json'), ('e2lazy', 'dump', '--json'),
           ('e2lazy', 'log', '--beyond', '--json'),
           ('e2lazyck', '--json'), ('e2lazyck', '--plan', '--json')]
RARE = [('e2lazyck', '--quick', '--json'), ('e2lazyck', '-v', '--json'),
        ('e2lazyck',), ('e2lazyck', '--plan', '-y', '--json'),
        ('e2lazy', 'dump', '--all', '--check-data', '--json'),
        ('e2lazy', 'log', '--tags', '--json'),
        ('e2lazy', 'log', '--fast-commit', '--json'), ('e2lazy', 'info'),
        ('e2lazy', 'dump', '--identify', '--json'),
        ('e2lazy', 'view', '--dm-table')]


class Said:
    """A program's result: status, out, err; status None: it hung.

    What does not open has a document that says so, and has no results:
    `unopened', and then `document' is None.
    """

    def __init__(self, name, status, out, err):
        self.name, self.status, self.out, self.err = name, status, out, err
        self.unopened = None
        try:
            self.document = json.loads(out)
        except ValueError:
            self.document = None
        if isinstance(self.document, dict) and self.document.get('error') and \
                not self.document.keys() & {'findings', 'damage', 'histories',
                                            'copies', 'verdict'}:
            self.document, self.unopened = None, self.document

    @property
    def finding_ids(self):
        if not isinstance(self.document, dict):
            return []
        return [row['id'] for row in self.document.get('findings', [])]


class Tools:
    def __init__(self, environment):
        self.e2lazy = environment['E2LAZY']
        self.e2lazyck = environment.get('E2LAZYCK', self.e2lazy + 'ck')
        self.mkjournal = environment['MKJOURNAL']
        self.fswork = environment['FSWORK']
        self.environment = dict(environment, LC_ALL='C', TZ='UTC',
                                E2FSCK_CONFIG='/dev/null')
        self.timeout = TIMEOUT
        self.limits = {resource.RLIMIT_AS: MEMORY,
                       resource.RLIMIT_FSIZE: FILE_SIZE}
        with open(self.e2lazyck, 'rb') as file:
            if b'__asan_init' in file.read():
                del self.limits[resource.RLIMIT_AS]

    def _begin(self, words, out):
        """Limits are set here for the child's sake: cheaper than in it."""
        before = {which: resource.getrlimit(which) for which in self.limits}
        for which, limit in self.limits.items():
            resource.setrlimit(which, (limit, before[which][1]))
        try:
            # SIGXFSZ stays ignored: beyond the end a write fails.
            return subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.PIPE, env=self.environment,
                restore_signals=False)
        finally:
            for which, limits in before.items():
                resource.setrlimit(which, limits)

    def run(self, name, *words):
        # A pipe for each of both costs a change of process every few lines.
        with open(os.memfd_create('out'), 'r+b') as out:
            process = self._begin(words, out)
            try:
                _, err = process.communicate(timeout=self.timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return Said(name, None, b'', '')
            out.seek(0)
            return Said(name, process.returncode, out.read(),
                        err.decode(errors='replace'))

    def readers(self, disk, number):
        """Nothing of this may write; of RARE one, by the case's number."""
        for program, *words in (*READERS, RARE[number % len(RARE)]):
            path = self.e2lazyck if program == 'e2lazyck' else self.e2lazy
            yield self.run(' '.join((program, *words)), path, *words,
                           *disk.words())

    def write_back(self, answer, disk):
        return self.run(f'e2lazyck --checkpoint {answer} --json', self.e2lazyck,
                        '--checkpoint', answer, '--json', *disk.words())

    def e2fsck(self, disk, *words):
        return self.run('e2fsck ' + ' '.join(words), 'e2fsck', *words,
                        *disk.words())


def judge_manners(said):
    """Complaints about exit status, message and document, as texts."""
    name, status = said.name, said.status
    if status is None:
        return [f'{name}: hangs']
    if status < 0:
        return [f'{name}: died by signal {-status}']
    if 'Sanitizer' in said.err or 'runtime error:' in said.err:
        return [f'{name}: {said.err.strip().splitlines()[0]}']
    writes = '--checkpoint' in name
    if status & ~(ALL_BITS if writes else ALL_BITS & ~1):
        return [f'{name}: exit status {status}']
    found = []
    if status & ~1 and not said.err.startswith('e2lazy'):
        found.append(f'{name}: exit status {status} without a reason')
    if 'emory' in said.err:
        found.append(f'{name}: {said.err.strip()}')
    if said.unopened:
        if not (status & 8 and said.unopened['error'] and
                said.unopened['status'] == status):
            found.append(f'{name}: exit status {status} with '
                         f'{said.unopened}')
    elif said.document is None and 'json' in name:
        found.append(f'{name}: exit status {status}, and no document')
    return found + (_judge_document(said) if said.document else [])


def _judge_document(said):
    name, status, found = said.name, said.status, []
    if said.document.get('status', status) != status:
        found.append(f'{name}: exit status {status}, and '
                     f'{said.document["status"]} in the document')
    if name.startswith('e2lazyck'):
        grave = {row['severity'] for row in said.document['findings']
                 } & {'grave', 'warning'}
        # Superblocks alone may be left to be written; that is status 0.
        if status == 0 and (grave or said.document.get('live')):
            found.append(f'{name}: exit status 0 with findings or work left')
        if status == 4 and not (grave or said.document.get('pending')):
            found.append(f'{name}: exit status 4 for nothing')
    else:
        if bool(said.document['damage']) != bool(status & 4):
            found.append(f'{name}: exit status {status} with '
                         f'{len(said.document["damage"])} kinds of damage')
    return found


def problems_of(said):
    """How many questions e2fsck -n answered with no."""
    return said.out.count(b'? no')
