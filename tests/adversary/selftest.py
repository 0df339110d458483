# SPDX-License-Identifier: GPL-2.0-only
"""Programs that do one wrong thing; the oracle must object to each."""

import os
import re

import made
from tools import Tools

HERE = os.path.dirname(os.path.abspath(__file__))

# A lie of `liar`, a case in which it does harm, and the objection to it.
LIES = [
    ('empties', 'hole-behind', r'-p .*blocks are lost'),
    ('empties', 'sound', r'-p: \d+ blocks are not as logged'),
    ('reader_writes', 'sound', r'a reader has written'),
    ('scribbles', 'sound', r'-p: 1 blocks are not as logged'),
    ('scribbles', 'lost-tail', r'writes something else'),
    ('agrees', 'hole-behind', r'-p .*newer ones are left'),
    ('agrees', 'live-copy', r'-p .*a bad checksum'),
    ('refuses', 'sound', r'-p exits with 4 and nothing is lost'),
    ('refuses', 'lost-commit', r'-p exits with 4 after a mere crash'),
    ('silent', 'sound', r'no document'),
    ('silent', 'sound', r'-p leaves a log behind|blocks are not as logged'),
    ('mute', 'live-copy', r'without a reason'),
    ('untold', 'sound', r'has written, and exits with 0'),
    ('ruins', 'hole-behind', r'-y: .*after e2fsck -E journal_only'),
    ('blind', 'dead-copy', r'finds nothing, and \d+ copies'),
    ('praises', 'live-copy', r'the verdict is sound-in-use'),
    ('blames', 'sound', r'the verdict is damaged'),
    ('hangs', 'sound', r'hangs'),
    ('agrees', 'older-life', r'-p .*blocks are not the truth'),
    ('agrees', 'tag-on-data', r'-p .*blocks are not the truth'),
    ('forgets', 'sound', r'older lap are whole, but not in one history'),
    ('drops', 'sound', r'\d+ copies of an older lap are missing'),
]
# Lies of e2lazy; the others are of e2lazyck.
READERS = ('forgets', 'drops')
TRIES = 12                      # seeds until a lie must have done harm


def objections(worker_of, lie, kind, wanted):
    """Whether some complaint is the one that is @wanted; else the others"""
    program = 'E2LAZY' if lie in READERS else 'E2LAZYCK'
    environment = dict(os.environ, LIE=lie, HONEST=os.environ[program])
    environment[program] = os.path.join(HERE, 'liar')
    tools = Tools(environment)
    if lie == 'hangs':
        tools.timeout = .2
    worker, others = worker_of(tools), []
    worker.names = [row[0] for row in made.BASES]
    for seed in range(TRIES):
        for text in worker.try_case((kind, seed)).complaints:
            if re.search(wanted, text):
                return True, []
            others.append(text)
    return False, others


def run(worker_of, report):
    missed = []
    for lie, kind, wanted in LIES:
        seen, others = objections(worker_of, lie, kind, wanted)
        if not seen:
            missed.append(f'{lie} in {kind}: no "{wanted}"; but: '
                          f'{others[:2]}')
    for text in missed:
        print('# ' + text)
    report.result(not missed, f'the oracle objects to {len(LIES)} ways to do '
                  'it wrong')
