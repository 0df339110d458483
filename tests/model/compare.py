# SPDX-License-Identifier: GPL-2.0-only
"""Compares the programs' output for an image with the reference reader."""

import json
import os
import subprocess
import time
from collections import Counter

from image import Image, Unusable
from journal import Journal
from judge import Verdict

LAST_SEC = 253402300800         # the year 10000, which no form of a date has
COLUMNS = 'FSBLK,LOGBLK,PHYSBLK,TID,TIME,ESCAPED,STATE,CSUM'


class Died(Exception):
    """A program that was killed, hung or printed no document."""


def _run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, timeout=60,
                          check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def _document(program, *words):
    status, out, said = _run(program, *words)
    what = ' '.join([os.path.basename(program), *words])
    if status < 0 or status & ~(4 | 8):
        raise Died(f'{what}: exit {status}: {said}')
    if status and not said.strip():
        raise Died(f'{what}: exit {status} without a reason')
    if status & 8 and not out:
        return status, {}
    try:
        return status, json.loads(out)
    except ValueError as bad:
        raise Died(f'{what}: no JSON: {bad}') from bad


def _time(sec):
    if not sec & 0xffffffff:
        sec >>= 32              # debugfs stores them in the wrong half
    if not 0 < sec < LAST_SEC:
        return None
    return time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(sec))


class Comparison:
    """`differences`, a line each; `seen`, what the journal was about."""

    def __init__(self, e2lazy, image, device):
        self.differences = []
        self.seen = set()
        self.e2lazy = e2lazy
        self.e2lazyck = e2lazy + 'ck'
        self.words = [*(['-j', device] if device else []), image]
        fs = dev = self.verdict = None
        try:
            fs = Image(image)
            self.journal = Journal(fs, device)
            dev = self.journal.place.image
            self.verdict = Verdict(self.journal)
        except Unusable as why:
            self._all_refuse(why)
            return
        else:
            self._compare()
        finally:
            for opened in {fs, dev} - {None}:
                opened.close()

    def live(self):
        """The static blocks of the map."""
        return sorted(copy.fsblk for copy, state in self.verdict.states
                      if state == 'live') if self.verdict else None

    def _same(self, what, model, program):
        if model != program:
            self.differences.append(
                f'{what}: model {model}, program {program}')

    def _all_refuse(self, why):
        self.seen.add('unusable')
        for command in ('dump', 'info'):
            status, _ = _document(self.e2lazy, command, '--json', *self.words)
            self._same(f'{command}: exit status ({why})', 8, status)
        status, doc = _document(self.e2lazyck, '--json', '--quick',
                                *self.words)
        self._same(f'e2lazyck: exit status ({why})',
                   12 if why.finding else 8, status)
        theirs = [f['id'] for f in doc.get('findings', [])]
        self.seen.update('finding ' + name for name in theirs)
        self._same(f'e2lazyck: findings ({why})',
                   [why.finding] if why.finding else [], theirs)

    def _compare(self):
        self.seen.add('end ' + self.verdict.end.reason)
        self._dump()
        self._map()
        self._log()
        self._info()
        self._findings()

    def _rows(self, states):
        v = self.verdict
        sealed = {t.tid: t for t in v.walk.transactions}
        for copy, state in states:
            self.seen.add('state ' + state)
            csum = 'unchecked'
            if self.journal.csum >= 2:
                csum = 'bad' if v.is_bad(copy) else 'good'
            txn = sealed.get(copy.tid) if state not in (
                'uncommitted', 'stale') else None
            yield {'fsblk': copy.fsblk, 'logblk': copy.logblk,
                   'physblk': self.journal.physblk(copy.logblk),
                   'tid': copy.tid, 'time': _time(txn.sec) if txn else None,
                   'escaped': copy.escaped, 'state': state, 'csum': csum}

    def _list(self, what, model, program):
        if model == program:
            return
        if len(model) != len(program):
            self._same(f'{what}: rows', len(model), len(program))
        for ours, theirs in zip(model, program):
            if ours != theirs:
                self._same(what, ours, theirs)
                return

    def _dump(self):
        status, doc = _document(self.e2lazy, 'dump', '--all', '--json',
                                '--check-data', '--columns', COLUMNS,
                                *self.words)
        damage = self.verdict.damage(True)
        self._same('dump --all: exit status', 4 if damage else 0, status)
        if doc:
            self._damage('dump --all', damage, doc)
            self._list('dump --all', list(self._rows(self.verdict.states)),
                       doc['copies'])

    def _map(self):
        status, doc = _document(self.e2lazy, 'dump', '--json', '--columns',
                                'FSBLK,LOGBLK,TID,ESCAPED', *self.words)
        damage = self.verdict.damage(False)
        self._same('dump: exit status', 4 if damage else 0, status)
        live = [{'fsblk': c.fsblk, 'logblk': c.logblk, 'tid': c.tid,
                 'escaped': c.escaped}
                for _, c in sorted(self.verdict.live.items())]
        if doc:
            self._list('dump', live, doc['mappings'])

    def _damage(self, what, model, doc):
        theirs = {d['id']: (d['count'], d['logblk'], d['tid'], d['fsblk'])
                  for d in doc['damage']}
        self.seen.update('damage ' + name for name in model)
        for name in sorted({*model, *theirs}):
            self._same(f'{what}: damage {name}', model.get(name),
                       theirs.get(name))

    def _log(self):
        status, doc = _document(self.e2lazy, 'log', '--json', '--columns',
                                'TID,START,END,TIME,BLOCKS,REVOKES,LIVE,STATE',
                                *self.words)
        damage = self.verdict.damage(False)
        self._same('log: exit status', 4 if damage else 0, status)
        live = Counter(copy.tid for copy in self.verdict.live.values())
        rows = [{'tid': t.tid, 'start': t.start, 'end': t.end,
                 'time': _time(t.sec), 'blocks': len(t.copies),
                 'revokes': len(t.revokes), 'live': live[t.tid],
                 'state': 'committed'} for t in self.verdict.walk.transactions]
        if doc:
            self._list('log', rows, [row for row in doc['transactions']
                                     if row['state'] == 'committed'])

    def _info(self):
        status, doc = _document(self.e2lazy, 'info', '--json', *self.words)
        v, end = self.verdict, self.verdict.end
        damage = v.damage(False)
        self._same('info: exit status', 4 if damage else 0, status)
        if not doc:
            return
        self._damage('info', damage, doc)
        txns = v.walk.transactions
        self._same('info: end', {
            'reason': end.reason, 'next_tid': end.tid,
        }, {key: doc['end'][key] for key in ('reason', 'next_tid')})
        self._same('info: log', {
            'transactions': len(txns),
            'first_tid': txns[0].tid if txns else None,
            'last_tid': txns[-1].tid if txns else None,
            'torn': sum(t.torn for t in txns),
            'descriptors': sum(t.descriptors for t in txns),
            'revokes': sum(len(t.revokes) for t in txns),
        }, {key: doc['log'][key] for key in (
            'transactions', 'first_tid', 'last_tid', 'torn',
            'descriptors', 'revokes')})
        beyond = doc['beyond']
        if end.reason == 'empty':
            self._same('info: beyond', None, beyond)
            return
        self._same('info: where it ends', {
            'head': end.head, 'stop': end.stop, 'begun': {
                'descriptors': end.open.descriptors,
                'revoke_blocks': end.open.revoke_blocks,
                'copies': len(end.open.copies),
            }}, {'head': doc['log']['head'], 'stop': doc['end']['stop'],
                 'begun': doc['end']['begun']})
        self.seen.add('beyond ' + v.beyond.verdict())
        self._same('info: beyond', {
            'verdict': v.beyond.verdict(), 'looked': v.beyond.looked,
            'older': len(v.beyond.of('older')),
            'later': len(v.beyond.of('damage')),
        }, {key: beyond[key] for key in ('verdict', 'looked', 'older',
                                         'later')})

    def _findings(self):
        status, doc = _document(self.e2lazyck, '--json', '--quick',
                                *self.words)
        judged = self.verdict.as_written_back()
        findings = judged.findings()
        word = judged.status()
        self._same('e2lazyck: exit status', 0 if word == 'clean' else 4,
                   status)
        if not doc:
            return
        self.seen.add('verdict ' + word)
        self._same('e2lazyck: verdict', word, doc['verdict'])
        theirs = {f['id']: f['count'] for f in doc['findings']}
        self.seen.update('finding ' + name for name in theirs)
        for name in sorted({*findings, *theirs}):
            self._same(f'e2lazyck: {name}', findings.get(name),
                       theirs.get(name))
        self._same('e2lazyck: live', len(judged.live), doc['live'])
