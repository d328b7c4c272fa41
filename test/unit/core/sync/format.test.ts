/** The folder of saved queries: paths are valid on every file system, and the index rejects unknown content. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { attributesText, metadataFileOf, pinsLineEnds, queryFileOf } from '#core/sync/format/layout.ts';
import {
  indexLine,
  parseIndex,
  parseMetadata,
  writeIndex,
  writeMetadata,
  type IndexEntry,
} from '#core/sync/format/query-index.ts';
import { pathProblem } from '#core/sync/format/safe-path.ts';
import { FreePaths, pathKey, slugOf } from '#core/sync/format/slugs.ts';
import { textOfBytes } from '#core/sync/format/text-bytes.ts';

const entry = (change: Partial<IndexEntry> = {}): IndexEntry => ({
  file: 'orphans.identity.sql',
  name: 'Orphans',
  model: 'platform_identity',
  description: '',
  ids: {},
  ...change,
});

suite('slugs', () => {
  const slugs: readonly (readonly [name: string, slug: string])[] = [
    ['Admins without MFA', 'admins-without-mfa'],
    ['  100 % "free" ', '100-free'],
    ['Prüfung der Rechte', 'prüfung-der-rechte'],
    ['Pru\u0308fung', 'prüfung'],
    ['権限の確認', '権限の確認'],
    ['...', 'query'],
    ['🙂', 'query'],
    ['CON', 'con-query'],
    ['aux', 'aux-query'],
    ['lpt1', 'lpt1-query'],
    ['console', 'console'],
    ['a\u202eb\u200bc', 'abc'],
    ['-- x --', 'x'],
    ['a-\u0308b', 'a-b'],
  ];
  for (const [name, slug] of slugs) test(`of "${name}" is ${slug}`, () => assert.equal(slugOf(name), slug));

  test('are truncated to the limits of file systems', () => {
    assert.equal(Buffer.byteLength(slugOf('ü'.repeat(200))), 100);
    assert.equal(slugOf(`${'a'.repeat(99)} b`), 'a'.repeat(99));
  });

  test('include folders if the name has slashes', () => {
    const paths = new FreePaths([]);
    assert.equal(paths.take('Access reviews / EU / Orphans'), 'access-reviews/eu/orphans.identity.sql');
    assert.equal(paths.take('a//b'), 'a-b.identity.sql');
    assert.equal(paths.take('../../etc/passwd'), 'query/query/etc/passwd.identity.sql');
    assert.equal(paths.take(Array(90).fill('ab').join('/')), 'ab.identity.sql');
    // Deeper folders are not read.
    assert.equal(paths.take(Array(21).fill('a').join('/')), `${'a/'.repeat(20)}a.identity.sql`);
    assert.equal(paths.take(Array(22).fill('a').join('/')), 'a.identity.sql');
  });

  test('get a number if the path is taken, even if only case or accents differ', () => {
    const paths = new FreePaths(['Orphans.identity.sql', 'pru\u0308fung.identity.sql']);
    assert.equal(paths.take('orphans'), 'orphans-2.identity.sql');
    assert.equal(paths.take('ORPHANS'), 'orphans-3.identity.sql');
    assert.equal(paths.take('Prüfung'), 'prüfung-2.identity.sql');
    assert.equal(paths.take('STRASSE'), 'strasse.identity.sql');
    assert.equal(paths.take('straße'), 'straße-2.identity.sql');
  });

  test('are never reserved, whatever a query is called', () => {
    const reserved = [
      'Git',
      'git',
      '.git',
      'GIT~1',
      'con',
      'Lpt1',
      'com\u00b9',
      'CONIN$',
      'nul.txt',
      'Ｇｉｔ',
      'gi\u200bt',
    ];
    for (const part of reserved)
      for (const name of [part, `${part}/x`, `x/${part}`, `${part}/${part}`, ` ${part} `, `${part}.`])
        assert.equal(pathProblem(new FreePaths([]).take(name)), undefined, name);
  });

  test('are safe for every character, at every place', () => {
    for (let code = 0; code <= 0x10_ffff; code++) {
      const character = String.fromCodePoint(code);
      const names = [`git${character}`, character, `a${character}`, `${character}a`];
      // Most are not assigned, and all those are treated alike.
      for (const name of /\p{Assigned}/u.test(character) ? names : names.slice(0, 1)) {
        const path = `${slugOf(name)}.identity.sql`;
        if (pathProblem(path) !== undefined) assert.fail(`${code.toString(16)}: ${JSON.stringify(path)}`);
      }
    }
  });

  test('are safe and distinct for all names', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 })), (names) => {
        const paths = new FreePaths([]);
        const taken = names.map((name) => paths.take(name));
        for (const path of taken) assert.equal(pathProblem(path), undefined, path);
        assert.equal(new Set(taken.map(pathKey)).size, names.length);
      }),
    );
  });
});

suite('paths in an index', () => {
  const refused = {
    '': 'empty',
    '/etc/x.identity.sql': 'absolute',
    '\\\\host\\x.identity.sql': 'absolute',
    'C:x.identity.sql': 'absolute',
    '../x.identity.sql': 'outside',
    'a/../../x.identity.sql': 'outside',
    'a//x.identity.sql': 'outside',
    './x.identity.sql': 'outside',
    'a\\..\\x.identity.sql': 'character',
    'a\u0000.identity.sql': 'character',
    'a\u202elqs.identity.sql': 'character',
    'x.identity.sql:stream.identity.sql': 'character',
    'con.identity.sql': 'reserved',
    'NUL/x.identity.sql': 'reserved',
    'com1 .identity.sql': 'reserved',
    '.git/x.identity.sql': 'reserved',
    'GIT~1/x.identity.sql': 'reserved',
    'a./x.identity.sql': 'reserved',
    '.identity.sql': 'reserved',
    'x.sql': 'ending',
    'hooks/pre-commit': 'ending',
  } as const;
  for (const [path, problem] of Object.entries(refused))
    test(`${JSON.stringify(path)} is refused: ${problem}`, () => assert.equal(pathProblem(path), problem));

  test('that are too long are refused', () => {
    assert.equal(pathProblem(`${'a'.repeat(400)}.identity.sql`), 'long');
    assert.equal(pathProblem(`${'ü'.repeat(130)}.identity.sql`), 'long');
  });
});

suite('the index', () => {
  test('has one line per query, sorted by file, without empty members', () => {
    const text = writeIndex([
      entry({ file: 'b.identity.sql', name: 'B', ids: { sandbox: 'q2', abc: 'q1' }, description: 'why' }),
      entry({ file: 'a.identity.sql', name: 'A' }),
    ]);
    assert.equal(
      text,
      [
        '{ "format": 1, "queries": [',
        '{"file":"a.identity.sql","name":"A","model":"platform_identity"},',
        '{"file":"b.identity.sql","name":"B","model":"platform_identity","description":"why","ids":{"abc":"q1","sandbox":"q2"}}',
        '] }',
        '',
      ].join('\n'),
    );
    assert.equal(writeIndex([]), '{ "format": 1, "queries": [\n] }\n');
    assert.equal(
      indexLine(entry()),
      '{"file":"orphans.identity.sql","name":"Orphans","model":"platform_identity"}',
    );
  });

  test('survives the round trip', () => {
    const entries = [
      entry({ name: 'Ü "quoted"\n', description: '$(x) [a](command:b)', ids: { sandbox: 'q' } }),
    ];
    assert.deepEqual(parseIndex(writeIndex(entries)), { entries, held: [] });
    assert.deepEqual(parseIndex(writeIndex([])), { entries: [], held: [] });
  });

  const problems: readonly (readonly [string, unknown, object])[] = [
    ['no list', { format: 1 }, { kind: 'format' }],
    ['a newer format', { format: 2, queries: [] }, { kind: 'format' }],
    ['an entry that is none', { format: 1, queries: [1] }, { kind: 'entry', entry: 1, member: 'file' }],
    [
      'an unknown member',
      { format: 1, queries: [{ ...entry(), colour: 'red' }] },
      { kind: 'entry', entry: 1, member: 'colour' },
    ],
    [
      'an empty name',
      { format: 1, queries: [{ ...entry(), name: ' ' }] },
      { kind: 'entry', entry: 1, member: 'name' },
    ],
    [
      'an id that is none',
      { format: 1, queries: [{ ...entry(), ids: { sandbox: 1 } }] },
      { kind: 'entry', entry: 1, member: 'ids' },
    ],
    [
      'a path that leads out',
      { format: 1, queries: [entry({ file: '../x.identity.sql' })] },
      { kind: 'path', file: '../x.identity.sql', problem: 'outside' },
    ],
    [
      'one id twice',
      {
        format: 1,
        queries: [
          entry({ ids: { sandbox: 'q' } }),
          entry({ file: 'b.identity.sql', name: 'B', ids: { sandbox: 'q' } }),
        ],
      },
      { kind: 'twice', what: 'id', value: 'q', files: ['orphans.identity.sql', 'b.identity.sql'] },
    ],
    [
      'one name twice, but for case',
      { format: 1, queries: [entry(), entry({ file: 'b.identity.sql', name: 'ORPHANS ' })] },
      { kind: 'twice', what: 'name', value: 'ORPHANS ', files: ['orphans.identity.sql', 'b.identity.sql'] },
    ],
    [
      'one file twice, but for case',
      { format: 1, queries: [entry(), entry({ file: 'Orphans.identity.sql', name: 'B' })] },
      {
        kind: 'twice',
        what: 'file',
        value: 'Orphans.identity.sql',
        files: ['orphans.identity.sql', 'Orphans.identity.sql'],
      },
    ],
  ];
  /** Without empty members, which are not written. */
  const plain = (value: unknown) =>
    JSON.stringify(value, (name, member: unknown) =>
      (name === 'description' && member === '') || (name === 'ids' && JSON.stringify(member) === '{}')
        ? undefined
        : member,
    );
  for (const [what, value, problem] of problems) {
    test(`refuses ${what}, but no other entry`, () => {
      const whole = (value as { readonly queries?: readonly unknown[] }).queries; // written above
      if (whole === undefined || whole.length === 0) {
        assert.deepEqual(parseIndex(JSON.stringify(value)), { problem });
        return;
      }
      const good = entry({ file: 'good.identity.sql', name: 'Good', ids: { sandbox: 'good' } });
      const text = JSON.stringify({ format: 1, queries: [...whole, good] });
      const index = parseIndex(text);
      assert.ok('held' in index);
      assert.deepEqual(index.entries, [good]);
      assert.deepEqual(
        index.held.map((each) => each.problem),
        whole.map(() => problem),
      );
      // A pull rewrites the index. It keeps what it does not understand.
      const again = JSON.parse(writeIndex(index.entries, index.held)) as { readonly queries: unknown[] };
      assert.deepEqual(new Set(again.queries.map(plain)), new Set([...whole, good].map(plain)));
    });
  }

  test('keeps an entry that it cannot use exactly, however deep it is and whatever its numbers', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    for (const line of ['12345678901234567890.10', `{"file":"x","__proto__":{"a":1.50},"b":${deep}}`]) {
      const index = parseIndex(`{"format":1,"queries":[${line},${indexLine(entry())}]}`);
      assert.ok('held' in index);
      assert.deepEqual(index.entries, [entry()]);
      assert.ok(writeIndex(index.entries, index.held).includes(line));
    }
  });

  test('holds back an entry for every kind of value at every place, and uses the others', () => {
    const good = entry({ file: 'good.identity.sql', name: 'Good' });
    const member = fc.constantFrom('file', 'name', 'model', 'description', 'ids', 'stranger');
    fc.assert(
      fc.property(member, fc.jsonValue({ maxDepth: 3 }), fc.boolean(), (name, value, isFirst) => {
        const other = { ...entry(), [name]: value };
        const index = parseIndex(
          JSON.stringify({ format: 1, queries: isFirst ? [other, good] : [good, other] }),
        );
        assert.ok('held' in index);
        assert.ok(index.entries.some(({ file }) => file === good.file));
        assert.equal(index.entries.length + index.held.length, 2);
      }),
      { numRuns: 1_000 },
    );
  });

  test('refuses invalid JSON, and reports the line of a conflict', () => {
    assert.deepEqual(parseIndex('{'), { problem: { kind: 'notJson', line: 1 } });
    assert.deepEqual(parseMetadata('{\n  "name": "a",,\n}', 'a.identity.sql'), {
      problem: { kind: 'notJson', line: 2 },
    });
    assert.deepEqual(parseIndex('{\n<<<<<<< HEAD\n'), { problem: { kind: 'conflictMarkers', line: 2 } });
  });

  test('may miss a comma between lines, or have one too many, as a merge leaves it', () => {
    const three = ['a', 'b', 'c'].map((name) => entry({ file: `${name}.identity.sql`, name }));
    const text = writeIndex(three);
    for (const damaged of [
      text.replace('"a","model":"platform_identity"},', '"a","model":"platform_identity"}'),
      text.replace('\n] }', ',\n] }'),
    ]) {
      assert.notEqual(damaged, text);
      assert.deepEqual(parseIndex(damaged), { entries: three, held: [] });
    }
  });

  test('never throws for any text', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void parseIndex(JSON.stringify(value))));
  });
});

suite('metadata', () => {
  test('survives the round trip, with one member a line', () => {
    const full = entry({ description: 'Said "so"\n', ids: { b: '2', a: '1' } });
    assert.deepEqual(parseMetadata(writeMetadata(full), full.file), { entry: full });
    assert.equal(
      writeMetadata(full),
      '{\n  "name": "Orphans",\n  "model": "platform_identity",\n  "description": "Said \\"so\\"\\n",\n  "ids": {\n    "a": "1",\n    "b": "2"\n  }\n}\n',
    );
    const crlf = `\uFEFF${writeMetadata(full).replaceAll('\n', '\r\n')}`;
    assert.deepEqual(parseMetadata(crlf, full.file), { entry: full });
  });

  test('is refused if a member is written twice, as a merge can leave it', () => {
    assert.deepEqual(parseMetadata('{"name": "a",\n"model": "m",\n"name": "b"}', 'a.identity.sql'), {
      problem: { kind: 'repeated', line: 3, member: 'name' },
    });
  });

  test('names the member that is invalid or unknown', () => {
    for (const [text, member] of [
      ['{"model": "m"}', 'name'],
      ['{"name": "a"}', 'model'],
      ['{"name": "a", "model": "m", "title": "b"}', 'title'],
      ['{"file": "b.identity.sql", "name": "a", "model": "m"}', 'file'],
      ['{"name": "a", "model": "m", "ids": {"../x": "b"}}', 'ids'],
      ['[]', 'file'],
    ] as const)
      assert.deepEqual(parseMetadata(text, 'a.identity.sql'), { problem: { kind: 'member', member } }, text);
  });

  test('never throws for any text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => void parseMetadata(JSON.stringify(value), 'a.identity.sql')),
    );
    fc.assert(fc.property(fc.string(), (text) => void parseMetadata(text, 'a.identity.sql')));
  });

  test('is the file beside its query', () => {
    assert.equal(metadataFileOf('a/b.identity.sql'), 'a/b.identity.json');
    assert.equal(queryFileOf('a/b.identity.json'), 'a/b.identity.sql');
  });
});

suite('the bytes of a text', () => {
  test('survive the round trip, with line endings, marks and blanks', () => {
    const text = '\uFEFFSELECT 1 \r\n\r  -- ü 🙂\t\n\n';
    assert.deepEqual(textOfBytes(Buffer.from(text)), { text });
  });

  test('are refused if the service would not accept them as text', () => {
    assert.deepEqual(textOfBytes(Buffer.from('')), { problem: 'empty' });
    assert.deepEqual(textOfBytes(Buffer.from([0x53, 0xff])), { problem: 'notUnicode' });
    assert.deepEqual(textOfBytes(Buffer.from('a'.repeat(100_001))), { problem: 'long' });
    assert.deepEqual(textOfBytes(Buffer.alloc(400_001, 'a')), { problem: 'long' });
    assert.deepEqual(textOfBytes(Buffer.from('🙂'.repeat(100_000))), { text: '🙂'.repeat(100_000) });
  });
});

suite('attributes', () => {
  test('pin line endings, even beside existing lines', () => {
    assert.ok(pinsLineEnds(attributesText));
    assert.ok(pinsLineEnds('*.md text\r\n*.identity.sql -text\r\n'));
    assert.ok(!pinsLineEnds('*.identity.sql text\n'));
    assert.ok(!pinsLineEnds('# *.identity.sql -text\n'));
  });
});
