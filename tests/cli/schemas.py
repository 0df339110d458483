# SPDX-License-Identifier: GPL-2.0-only
"""schemas.py SCHEMAS DOCUMENTS - each file NAME.N.json in DOCUMENTS fits its schema

NAME.N.args has the words of the command that printed it. Beyond the schema, a
document has no member that the schema does not name, but for KEY_hex: so the page
that the schemas are made from has them all. Prints what does not fit, and how many
documents there were.
"""
import json
import os
import sys

import jsonschema

MOST_BYTES = 4 << 20
MOST_LINES = 500


def strict(schema):
    """No other members."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: {k: strict(v) for k, v in value.items()}
           if key == 'properties' else strict(value)
           for key, value in schema.items()}
    if 'properties' in out and 'additionalProperties' not in out:
        out['additionalProperties'] = False
        out['patternProperties'] = {
            '_hex$': {'type': ['string', 'array', 'null']}}
    return out


def name_of(words):
    """The section of a command line."""
    if words[0] != 'e2lazy':
        return words[0]
    words = [word for word in words[1:] if not word.startswith('-')]
    return '-'.join(words[:2]) if words[0] == 'trace' else words[0]


def validators(directory):
    known = {}
    for name in os.listdir(directory):
        with open(os.path.join(directory, name)) as file:
            schema = json.load(file)
        jsonschema.Draft7Validator.check_schema(schema)
        known[name[:-5]] = jsonschema.Draft7Validator(strict(schema))
    return known


def values(text, lines):
    if not lines:
        return [json.loads(text)]
    rows = text.splitlines()
    return [json.loads(row) for row in rows[:MOST_LINES] + rows[-1:]]


def problems(known, path):
    with open(path + '.args', errors='surrogateescape') as file:
        words = file.read().split('\n')
    lines = '--json-lines' in words
    validator = known.get(name_of(words) + ('-line' if lines else ''))
    if os.path.getsize(path + '.json') > MOST_BYTES:
        return
    with open(path + '.json', encoding='utf-8') as file:
        text = file.read()
    if not text or set(words) & {'-h', '--help', '-V', '--version', 'help'}:
        return
    if not validator:
        yield 'no schema: ' + ' '.join(words)
        return
    try:
        documents = values(text, lines)
    except ValueError as error:
        yield '%s: %s' % (' '.join(words), error)
        return
    for document in documents:
        for error in validator.iter_errors(document):
            best = jsonschema.exceptions.best_match([error])
            yield '%s: %s: %s' % (
                ' '.join(words), '/'.join(map(str, best.absolute_path)),
                best.message[:300])


def main(schemas, directory):
    known = validators(schemas)
    count, said = 0, set()
    for name in sorted(os.listdir(directory)):
        if not name.endswith('.args'):
            continue
        count += 1
        for problem in problems(known, os.path.join(directory, name[:-5])):
            line = '%s: %s' % (name.rsplit('.', 2)[0], problem)
            if line not in said:
                print(line.encode(errors='backslashreplace').decode())
            said.add(line)
    print('%d documents' % count)
    return bool(said)


sys.exit(main(*sys.argv[1:]))
