/** Evidence: the recorded facts of a run, parsing the record, and the results of verification. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { splitList } from '#base/values/split-list.ts';
import { recordChecks, runChecks, statementIn, type Check, type FoundText } from '#core/evidence/checks.ts';
import { evidenceJson, evidenceMarkdown, findEvidence } from '#core/evidence/evidence-markdown.ts';
import { evidenceOf, type Evidence, type EvidenceSource } from '#core/evidence/evidence.ts';
import { parseEvidence } from '#core/evidence/parse-evidence.ts';
import { statementText, valuesOf } from '#core/evidence/statement-text.ts';
import { parameterDeclarations } from '#core/parameters/declarations.ts';

const statement = 'SELECT alias\r\nFROM accounts\r\nWHERE department = :team';
const text = `-- @param team text\r\n${statement};\r\nSELECT 2`;
const digest = (letter: string) => letter.repeat(64);

const source: EvidenceSource = {
  facts: {
    startedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    service: 'sandbox',
    model: 'platform_identity',
    savedQuery: { id: 'q-1', name: 'stale | admins', version: 3 },
    text,
    statement: { text: statement, offset: text.indexOf('SELECT alias') },
    parameters: [
      { name: 'team', type: 'text', isSecret: false, entered: 'Tab|le `x`\n2', value: 'Tab|le `x`\n2' },
      { name: 'since', type: 'date', isSecret: false, entered: 'today - 30 days', value: '2025-12-03' },
      { name: 'names', type: 'text[]', isSecret: false, entered: 'a\nb', value: ['a, "b"', 'c', ' d'] },
      { name: 'nothing', type: 'int4', isSecret: false, value: null },
      { name: 'key', type: 'secret', isSecret: true },
    ],
  },
  header: {
    title: 'stale | admins',
    version: 3,
    isModified: false,
    connection: 'Prod *EU*',
    environment: 'prod',
    parameters: [],
  },
  columns: [{ name: 'alias', type: 'text' }],
  digest: { rowCount: 1_000, sha256: digest('a'), setSha256: digest('b') },
  totalRows: 1_000,
  isComplete: true,
  finishedAt: Date.UTC(2026, 0, 2, 3, 4, 6, 0),
  extensionVersion: '0.1.0',
};
const evidence = evidenceOf(source);
const found: FoundText = { kind: 'version', text, from: 'service' };

function checked(changes: Partial<Parameters<typeof recordChecks>[0]> = {}): Record<string, string> {
  const checks = recordChecks({
    evidence,
    raw: { ...evidence },
    readable: undefined,
    service: 'sandbox',
    found,
    ...changes,
  });
  return outcomesOf(checks);
}

function outcomesOf(checks: readonly Check[]): Record<string, string> {
  return Object.fromEntries(checks.map(({ subject, outcome }) => [subject, outcome]));
}

function parsed(json: string): Evidence {
  const outcome = parseEvidence(json);
  assert.ok(outcome.kind === 'evidence', JSON.stringify(outcome));
  return outcome.evidence;
}

suite('evidence', () => {
  test('does not turn a hostile name into a link or image, and hides nothing', () => {
    const name = '[x](command:a) ![i](https://evil.example) ad\u202Emin';
    const evidence = { ...evidenceOf(source), query: { ...evidenceOf(source).query, name } };
    const markdown = evidenceMarkdown(evidence);
    const [readable = ''] = markdown.split('<details>');
    assert.doesNotMatch(readable, /[^\\]\]\(/);
    assert.doesNotMatch(markdown, /\u202E/);
    assert.equal(parsed(findEvidence(markdown)[0]?.json ?? '').query.name, name);
    assert.match(readable, /\\\[x\\\]\(command:a\).*ad\\<U\+202E\\>min/);
  });

  test('names both connections, also for people, where another one than the query’s ran it', () => {
    const elsewhere = evidenceOf({ ...source, header: { ...source.header, home: 'Test [1]' } });
    const [readable = ''] = evidenceMarkdown(elsewhere).split('<details>');
    assert.match(
      readable,
      /\| Query of \| Test \\\[1\\\] \|[^]*\| Connection \| Prod \\\*EU\\\* \(prod\) \|/,
    );
    assert.doesNotMatch(evidenceMarkdown(evidence), /Query of/);
  });

  test('contains the bound values, but no secret and no query text', () => {
    const json = evidenceJson(evidence);
    assert.equal(json.includes('FROM accounts'), false);
    assert.deepEqual(
      evidence.parameters.map((parameter) =>
        'secret' in parameter
          ? [parameter.name, 'secret']
          : [parameter.name, parameter.entered, parameter.value],
      ),
      [
        ['team', undefined, 'Tab|le `x`\n2'],
        ['since', 'today - 30 days', '2025-12-03'],
        ['names', undefined, ['a, "b"', 'c', ' d']],
        ['nothing', undefined, null],
        ['key', 'secret'],
      ],
    );
    assert.equal(evidence.startedAt, '2026-01-02T03:04:05.006Z');
    assert.deepEqual(evidence.rows, {
      count: 1_000,
      total: 1_000,
      truncated: false,
      sha256: digest('a'),
      setSha256: digest('b'),
    });
    assert.equal(evidenceOf({ ...source, isComplete: false, totalRows: undefined }).rows.truncated, true);
    assert.equal(evidenceOf({ ...source, isComplete: false, totalRows: 5_000 }).rows.truncated, true);
    // Only the reader of the rows judges whether these are all.
    assert.equal(evidenceOf({ ...source, totalRows: 5_000 }).rows.truncated, false);
  });

  test('can be read back from its block, alone, quoted in a reply, or between others', () => {
    const block = evidenceMarkdown(evidence);
    const quoted = block.replace(/^/gm, '> ');
    const dos = block.replaceAll('\n', '\r\n');
    for (const form of [block, quoted, dos, `Hello,\n\n${block}\nBye`]) {
      const [first, ...rest] = findEvidence(form);
      assert.ok(first !== undefined && rest.length === 0);
      assert.deepEqual(parsed(first.json), JSON.parse(evidenceJson(evidence)));
      assert.equal(checked({ readable: first.readable })['readable'], 'matches');
    }
    assert.equal(findEvidence(`${block}\n${block}`).length, 2);
    assert.deepEqual(findEvidence('```json\n{"a": 1}\n```'), []);
    assert.equal(findEvidence(` ${evidenceJson(evidence)}\n`)[0]?.readable, undefined);
  });

  test('has one row with two cells per line of the table, whatever the values contain', () => {
    const table = evidenceMarkdown(evidence)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    for (const line of table) assert.equal(line.replaceAll('\\|', '').split('|').length, 4, line);
    assert.ok(table.some((line) => line.includes('secret, not recorded')));
    assert.ok(
      evidenceMarkdown(evidenceOf({ ...source, isComplete: false, totalRows: undefined })).includes(
        '**truncated**',
      ),
    );
  });

  test('detects modifications of the record and the readable part', () => {
    assert.deepEqual(checked(), {
      record: 'matches',
      service: 'matches',
      text: 'matches',
      statement: 'matches',
    });
    const fewer = { ...evidence, rows: { ...evidence.rows, count: 999 } };
    assert.equal(checked({ evidence: fewer, raw: fewer })['record'], 'differs');
    assert.equal(checked({ raw: { ...evidence, approved: true } })['record'], 'differs');
    const [block] = findEvidence(
      evidenceMarkdown(evidence).replace('| Rows | 1000, complete |', '| Rows | 0, complete |'),
    );
    assert.equal(checked({ readable: block?.readable })['readable'], 'differs');
  });

  test('says of a readable part that people do not see, or see beside another one, that it differs', () => {
    const block = evidenceMarkdown(evidence);
    const other = block.replace('| Rows | 1000, complete |', '| Rows | 0, complete |').split('<details>')[0];
    const inOneLine = block.replace(/\n\n\| \| \|/, '\n| | |');
    for (const [before, after = ''] of [
      ['<!--\n\n', '\n\n-->'],
      [`${other}\n<!--\n\n`, '\n\n-->'],
      ['<details><summary>Old</summary>\n\n', '\n\n</details>'],
      ['<div hidden>\n\n', '\n\n</div>'],
      ['</div><div hidden>\n\n'],
      ['<textarea\n\n'],
      ['<?\n\n', '?>'],
      [`${other}\n`],
      ["[a]: b '\n", "'"],
      ['', '| Rows | 0, complete |\n'],
      ['', 'Checked.\n\n| Rows | 0, complete |\n'],
      ...[
        ...['`</details>`', '``a\n</details>``', String.raw`\</details>`, '    </details>', '\t</details>'],
        ...['```\n</details>\n```', '~~~\n\n</details>\n\n~~~', '````\n```\n\n</details>\n````'],
        ...['> ```\n\n```\n\n</details>\n\n```', '- ```\n\n```\n\n</details>\n\n```'],
        ...['<br>\n```\n\n```\n\n</details>\n\n```', '<!-- </details> -->', '[a](</details>)'],
        ...[
          '<p>\na\n```\n\n```\n</details>\n```\n```',
          'a\n```\n</details>\n```',
          ' ```\na\n```\n</details>\n```',
        ],
        ...[
          'a\u2028```\n\n```\n</details>\n```\n```',
          '[a](b) <b></details>',
          '-     </details>',
          '    > </details>',
        ],
        ...['[a](b "</details>")', '[a]: </details>', '<a title="</details>"></a>', '$</details>$'],
        `<a title="${'x'.repeat(2_000)}</details>"></a>`,
      ].map((end) => [`<details><summary>x</summary>\n\n${end}\n\n`] as const),
      ...[
        ...['<!--> <details> -->', '<!-- --!> <details> -->', String.raw`\<!-- <details> -->`],
        ...['<!-- x --> `<details>`', '<p>\n`<details>`', String.raw`\`<details>\``, '`a\n`<details>`'],
        ...['| `a | <details> | b` |', '> ```\n<details>\n```', '```\n<!--\n```\n<div>\n```\n-->\n```'],
        ...['<http://a/`> <details> <http://b/`>', '[a](b "<!--") <details> [a](b "-->")', '<b\nhidden>'],
        ...[
          'a\u2028<!--\n\n<details>\n\n-->',
          '<b hidden><b></b>',
          '`a` <String hidden>',
          '`a` <sub>',
          '</p>\n<!--\n\n-->',
          '```\n  ```\n```',
          '$$\n```\n> ```',
          '- ```\n       ```',
          '</p><!-- a\n\n-->',
          '- ```\n```',
          '- ```\na\n  ```',
          'a\n```',
          'a <b>b</b>\n~~~',
          ' ```',
          '<p>\n```\n\n```',
          '`a` <x-y>',
          'a\n```\n<div>\n```',
        ],
        ...['```', '<!-- a\n<!-- b', '```\n<details>\n\n`</details>`\n```'],
        ...['<div title="\n\n<!--\n\n"> <details> -->\n\n</div>', 'a <b title="</b>">'],
      ].map((start) => [`${start}\n\n`] as const),
    ] as const) {
      for (const own of [block, inOneLine]) {
        const hidden = `${before}${own.replace('<details>', `${after}\n<details>`)}`;
        const [one] = findEvidence(hidden);
        assert.equal(checked({ readable: one?.readable })['readable'], 'differs', hidden);
      }
    }
    for (const before of [
      ...[
        'Dear <b>all</b> <https://a.example>,<br>',
        '</details>',
        '\n \t\r',
        'a <b or so',
        '1 <2, a<b> </b>',
      ],
      ...[
        '<!-- Fill in -->',
        '<!-- Fill in\n\n<b> -->',
        'Hello <!-- you -->',
        '`List<String>` and ``a`<b>``',
      ],
      ...['```xml\n<a>\n\n</a>\n```', '<details>\n\n```\nx\n```\n\n</details>', '> quoted\n\nand `a <b>`'],
      ...['See [a](http://x) and <b>this</b>', 'Price $5 <b>bold</b>', '- a\n    - <b>nested</b>'],
      ...['<kbd>F5</kbd> [a](http://x) <kbd>F6</kbd>', '```\nx  <none>\n```', '```\nList<String> a;\n```'],
      ...['a <b>b</b>:\n```\nx\n\ny\n```', '- a\n\n  ```\n  x\n\n  y\n  ```'],
      ...['> a\n>\n> ```\n> x\n> ```', '>> ```\n>> x\n>>\n>> y\n>> ```', '1. a\n   ```\n   x\n   ```'],
      ...['Costs $5 for `List<String>`', `${block}\n<b>x</b> $5 <b>y</b>`],
      ...['<b>Note</b>', '<details>\n\nNote\n\n</details>'].flatMap((note) => [
        `Query:\n\`\`\`sql\nSELECT 1\n\`\`\`\n\n${note}`,
        `Query \`a\`:\r\n\`\`\`\r\n1\r\n\`\`\`\r\n \r\n${note}`,
      ]),
      ...['<a title="<b>">c</a>', '~~~\n`x`\n~~~\n\n<p>\n</p>'],
    ]) {
      const one = findEvidence(`${before}\n\n${block}`).at(-1);
      assert.equal(checked({ readable: one?.readable })['readable'], 'matches', before);
    }
    for (const [between, outcome] of [
      ['\n\nChecked by Ana.\n\n<details>', 'matches'],
      ['\r\n \r\nChecked\nby <b>Ana</b>.\n<details>', 'matches'],
      ['\n<details>', 'matches'],
      ['\nChecked by Ana.\n\n<details>', 'differs'],
      [' Checked by Ana.\n\n<details>', 'differs'],
    ] as const) {
      const [one] = findEvidence(block.replace('\n\n<details>', between));
      assert.equal(checked({ readable: one?.readable })['readable'], outcome, between);
    }
  });

  test('says of a statement that the text has more', () => {
    const reasonOf = (own: string, part: string) => {
      const facts = { ...source.facts, text: own, statement: { text: part, offset: own.indexOf(part) } };
      const of = evidenceOf({ ...source, facts });
      const found: FoundText = { kind: 'version', text: own, from: 'service' };
      const checks = recordChecks({
        evidence: of,
        raw: { ...of },
        readable: undefined,
        service: 'sandbox',
        found,
      });
      return checks.find(({ subject }) => subject === 'statement')?.reason;
    };
    for (const own of ['SELECT 1', '-- @model a\r\n/* b; */\r\n;SELECT 1;;\r\n-- c'])
      assert.equal(reasonOf(own, 'SELECT 1'), 'same', own);
    for (const own of ['SELECT 1 WHERE false', 'SELECT 12', 'SELECT 0; SELECT 1', '/* SELECT 1 */ SELECT 2'])
      assert.equal(reasonOf(own, 'SELECT 1'), 'part-of-text', own);
  });

  test('ignores line endings in the text and the statement, but nothing else', () => {
    const plain = text.replaceAll('\r\n', '\n');
    assert.equal(statementIn(evidence, plain), statement.replaceAll('\r\n', '\n'));
    assert.deepEqual(
      checked({ found: { kind: 'version', text: plain, from: 'machine' } })['text'],
      'matches',
    );
    const edited = checked({ found: { kind: 'version', text: `${text} `, from: 'service' } });
    assert.deepEqual([edited['text'], edited['statement']], ['differs', 'matches']);
    const other = checked({
      found: { kind: 'version', text: text.replace('alias', 'email'), from: 'service' },
    });
    assert.deepEqual([other['text'], other['statement']], ['differs', 'differs']);
    const history = checked({ found: { kind: 'history', statement } });
    assert.deepEqual([history['text'], history['statement']], ['unknown', 'matches']);
    const missing = checked({ found: { kind: 'missing', reason: 'deleted' }, service: undefined });
    assert.deepEqual(missing, {
      record: 'matches',
      service: 'unknown',
      text: 'unknown',
      statement: 'unknown',
    });
    assert.equal(checked({ service: 'elsewhere' })['service'], 'differs');
  });

  test('distinguishes another run with the same rows, another order, other rows, or more rows', () => {
    const now = (rows: Partial<Evidence['rows']>, columns = evidence.columns): Evidence => ({
      ...evidence,
      columns,
      rows: { ...evidence.rows, ...rows },
    });
    const noSecret = { ...evidence, parameters: [] };
    assert.deepEqual(outcomesOf(runChecks(noSecret, now({}))), {
      columns: 'matches',
      count: 'matches',
      rows: 'matches',
    });
    assert.equal(outcomesOf(runChecks(evidence, now({})))['parameters'], 'unknown');
    const turned = runChecks(noSecret, now({ sha256: digest('c') })).find(
      ({ subject }) => subject === 'rows',
    );
    assert.deepEqual([turned?.outcome, turned?.reason], ['matches', 'other-order']);
    const changed = now({ sha256: digest('c'), setSha256: digest('d'), count: 1_001, total: 1_001 });
    assert.deepEqual(outcomesOf(runChecks(noSecret, changed)), {
      columns: 'matches',
      count: 'differs',
      rows: 'differs',
    });
    const fewer = runChecks(noSecret, now({ count: 999, truncated: true }));
    assert.deepEqual(fewer.find(({ subject }) => subject === 'count')?.reason, {
      kind: 'count-differs',
      before: 1_000,
      now: 999,
    });
    const renamed = now({ sha256: digest('c') }, [['login', 'text']]);
    assert.deepEqual(outcomesOf(runChecks(noSecret, renamed)), {
      columns: 'differs',
      count: 'matches',
      rows: 'differs',
    });
    const part = {
      ...noSecret,
      rows: { count: 1_000, truncated: true, sha256: digest('a'), setSha256: digest('b') },
    };
    assert.equal(
      outcomesOf(runChecks(part, { ...part, rows: { ...part.rows, truncated: false } }))['count'],
      'differs',
    );
  });

  test('reports the reason for an invalid record', () => {
    assert.equal(parseEvidence('{“format”: 1}').kind, 'not-json');
    assert.equal(parseEvidence('[1]').kind, 'other-format');
    assert.deepEqual(parseEvidence('{"format": "identity-queries-evidence/2"}'), {
      kind: 'other-format',
      format: 'identity-queries-evidence/2',
    });
    const broken = parseEvidence(evidenceJson({ ...evidence, rows: { ...evidence.rows, count: -1 } }));
    assert.deepEqual(broken, { kind: 'misshapen', place: '/rows/count' });
    const leaking = { ...evidence, parameters: [{ name: 'key', type: 'secret', secret: true, value: 'x' }] };
    assert.notEqual(parseEvidence(JSON.stringify(leaking)).kind, 'evidence');
  });

  test('refuses a record with a member that is written twice, of which another reader may take the first', () => {
    const json = evidenceJson(evidence);
    for (const [first, place] of [
      ['"count": 1', '/rows/count'],
      ['"\\u0063ount": 1', '/rows/count'],
      ['"sha256": "0"', '/rows/sha256'],
    ] as const) {
      const twice = json.replace(/"rows": ?\{/, (start) => `${start}${first},`);
      assert.notEqual(twice, json);
      assert.deepEqual(parseEvidence(twice), { kind: 'misshapen', place });
    }
    assert.deepEqual(parseEvidence(json.replace('{', '{"model": "other",')), {
      kind: 'misshapen',
      place: '/model',
    });
    assert.equal(parseEvidence(json).kind, 'evidence');
  });

  test('refuses a record whose names would add SQL to the statement that is run again', () => {
    for (const mark of ['\n', '\r', '\u2028', '\0'])
      for (const [place, changed] of [
        ['/model', { model: `m${mark}DELETE FROM a;` }],
        ['/parameters/0', { parameters: [{ name: `a${mark}b`, type: 'text', value: 'x' }] }],
        ['/parameters/0', { parameters: [{ name: 'a', type: `text${mark}b`, secret: true }] }],
      ] as const) {
        const outcome = parseEvidence(JSON.stringify({ ...evidence, ...changed }));
        assert.equal(
          outcome.kind === 'misshapen' ? outcome.place.slice(0, place.length) : outcome.kind,
          place,
        );
      }
  });

  test('reruns the statement with the bound values, and asks for the secret', () => {
    const values = valuesOf(evidence);
    assert.deepEqual(Object.keys(values), ['team', 'since', 'names', 'nothing']);
    assert.equal(values['since']?.text, '2025-12-03');
    assert.deepEqual(splitList(values['names']?.text ?? ''), ['a, "b"', 'c', ' d']);
    assert.equal(values['nothing']?.isNull, true);
    const document = statementText(evidence, 'SELECT :key');
    assert.equal(parameterDeclarations(document).get('key')?.type, 'secret');
    assert.match(document, /^-- @model platform_identity\n/);
  });
});
