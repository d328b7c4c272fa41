/** Reports match their published schemas, escape text, and contain no row values. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import Schema from 'typebox/schema';
import { validateXML } from 'xmllint-wasm';
import { jsonForLog } from '#base/shown-text/for-terminal.ts';
import { hasHiddenCharacters } from '#base/shown-text/hidden-characters.ts';
import type { ControlResult } from '#core/controls/control-result.ts';
import type { ControlFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { htmlOf } from '#core/controls/reports/html.ts';
import { jsonOfControls } from '#core/controls/reports/json.ts';
import { junitOf } from '#core/controls/reports/junit.ts';
import { markdownOf } from '#core/controls/reports/markdown.ts';
import type { ControlReport } from '#core/controls/reports/report.ts';
import { sarifOfControls } from '#core/controls/reports/sarif.ts';
import { rowDigests } from '#core/controls/row-digest.ts';
import { runControl } from '#core/controls/run-control.ts';
import { fakeService, provenStatement } from '#test/helpers/control-service.ts';

const digests = rowDigests('a key for tests only');
const schema = (name: string) => readFile(new URL(`../../../schemas/${name}`, import.meta.url), 'utf8');

/** Reads the SARIF schema without an extra bracket in a pattern, which validators reject in Unicode mode. */
async function sarifSchema(): Promise<object> {
  const text = await schema('sarif-2.1.0.json');
  return JSON.parse(text.replaceAll('-[a-zA-Z]{2}]?$', '-[a-zA-Z]{2}$')) as object; // a schema is an object
}

async function resultOf(
  id: string,
  {
    rows = [],
    lines = [],
    waived = [],
    known = [],
    sampleRows = 0,
    isEveryRow = false,
  }: {
    readonly rows?: readonly string[];
    readonly lines?: readonly string[];
    readonly waived?: readonly string[];
    readonly known?: readonly string[];
    readonly sampleRows?: number;
    readonly isEveryRow?: boolean;
  },
): Promise<ControlResult> {
  const text = [
    `-- @control ${id} A <title> & "quotes" | \u0007 ]]>`,
    ...lines,
    '-- @key id',
    'SELECT 1',
  ].join('\n');
  const control = readControl(text);
  assert.ok(control !== undefined);
  const digest = (key: string) => digests.digest(control, [key]) ?? '';
  const facts: ControlFacts = {
    digests,
    isNewOnly: false,
    waivers: new Map(
      waived.map((key) => [
        digest(key),
        { reason: 'Approved <by> & "owner" for @all, #1', owner: '@iam', expires: '9999-12-31' },
      ]),
    ),
    ...(known.length === 0 ? {} : { baseline: new Set(known.map(digest)) }),
    notes: [{ message: 'This waiver ended.', file: '.identity-queries/waivers.json', line: 4 }],
  };
  const service = fakeService({ columns: ['id'], rows: rows.map((key) => [key]) });
  return await runControl(
    {
      control,
      place: { name: 'queries/folder name/a&b.identity.sql' },
      text,
      checked: provenStatement(),
      facts,
    },
    { client: service.client, signal: new AbortController().signal, sampleRows, isEveryRow },
  );
}

async function report(results: readonly Promise<ControlResult>[]): Promise<ControlReport> {
  return {
    results: await Promise.all(results),
    startedAt: new Date('2026-11-22T10:00:00Z'),
    ms: 1_234,
    connection: 'Production <b>',
    problems: [{ file: 'queries/large.identity.sql', message: 'The file is too large to be a query.' }],
  };
}
const every = () =>
  report([
    resultOf('pass', {}),
    resultOf('fail', {
      rows: ['a', 'b'],
      lines: ['-- @severity critical', '-- @owner iam', '-- @tags soc2=CC6.1'],
    }),
    resultOf('warn', { rows: ['a'], lines: ['-- @warn_if rows > 0'] }),
    resultOf('waived', { rows: ['a'], waived: ['a'], known: ['a'] }),
    resultOf('known', { rows: ['a', 'b'], known: ['a'], lines: ['-- @error_if rows > 1'] }),
    resultOf('error', { lines: ['-- @severity urgent'] }),
  ]);

describe('JUnit', () => {
  it('matches the schema of Jenkins', async () => {
    const xml = [{ fileName: 'report.xml', contents: junitOf(await every()) }];
    const { valid, errors } = await validateXML({ xml, schema: [await schema('junit-jenkins.xsd')] });
    assert.deepEqual([valid, errors.map(({ message }) => message)], [true, []]);
  });

  it('matches the schema even if the name of an unreadable file is markup', async () => {
    const told = await report([]);
    const contents = junitOf({ ...told, problems: [{ file: 'queries/<b>.identity.sql', message: 'a & b' }] });
    const { valid } = await validateXML({
      xml: [{ fileName: 'report.xml', contents }],
      schema: [await schema('junit-jenkins.xsd')],
    });
    assert.equal(valid, true);
    assert.match(contents, />queries\/&lt;b&gt;\.identity\.sql: a &amp; b<\/error>/);
  });

  it('contains the reason why a control warned or is waived', async () => {
    const xml = junitOf(await every());
    assert.match(xml, /<system-out>[^<]*1 row: rows &gt; 0\.[^<]*outcome: warn/);
    assert.match(xml, /<skipped>[^<]*1 row \(1 waived[^<]*outcome: waived/);
  });

  it('does not match the schema with an invalid outcome', async () => {
    const contents = junitOf(await every())
      .replace('<failure', '<warning')
      .replace('</failure', '</warning');
    const { valid } = await validateXML({
      xml: [{ fileName: 'report.xml', contents }],
      schema: [await schema('junit-jenkins.xsd')],
    });
    assert.equal(valid, false);
  });
});

describe('a report in the log of a build', () => {
  it('has no command for the log, and HTML and XML mean what they meant', async () => {
    const hostile = '##vso[a]b ##[error] ###teamcity[b] \u001b]0;c\u009b2J\u007f\n::set-output name=a::b';
    const told = await report([
      resultOf('a', {
        rows: [hostile],
        lines: [`-- @owner ${hostile.replaceAll('\n', ' ')}`],
        sampleRows: 1,
      }),
    ]);
    const all = { ...told, connection: hostile, problems: [{ file: hostile, message: hostile }] };
    const json = [sarifOfControls(all), jsonOfControls(all)].map((one) => jsonForLog(JSON.stringify(one)));
    for (const text of [junitOf(all), htmlOf(all), markdownOf(all), ...json])
      for (const line of text.split('\n')) assert.doesNotMatch(line, /^\s*::|##\w*\[|[\u001b\u007f-\u009f]/);
    assert.match(junitOf(all), /c&lt;U\+009B&gt;2J&lt;U\+007F&gt;/);
    assert.match(junitOf(all), /#&#35;vso\[a\]b #&#35;\[error\] #&#35;#teamcity/);
  });

  it('hides no character where its texts are shown', async () => {
    const hidden = '\u061c\u202e\u2066\ufeff\u{e0041}\u3164';
    const told = await report([
      resultOf('a', { rows: [hidden], lines: [`-- says ${hidden}`], sampleRows: 1 }),
    ]);
    const all = { ...told, connection: hidden, problems: [{ file: 'a.sql', message: hidden }] };
    const sarif = JSON.stringify(sarifOfControls(all));
    for (const text of [junitOf(all), htmlOf(all), markdownOf(all), sarif])
      assert.ok(!hasHiddenCharacters(text.replaceAll('\n', '')), text);
  });
});

describe('SARIF', () => {
  it('matches the schema of 2.1.0, with suppressions and baseline states', async () => {
    const validator = Schema.Compile(await sarifSchema());
    const sarif = JSON.parse(JSON.stringify(sarifOfControls(await every()))) as {
      readonly runs: readonly [{ readonly results: readonly Record<string, unknown>[] }];
    };
    assert.deepEqual(validator.Errors(sarif), [true, []]);
    assert.equal(validator.Check({ ...sarif, version: '2.0.0' }), false);
    const { results } = sarif.runs[0];
    for (const result of results) {
      assert.equal(typeof result['ruleId'], 'string');
      assert.match(JSON.stringify(result['locations']), /"physicalLocation":.*"startLine":\d+/);
    }
    const of = (id: string) => results.filter((result) => result['ruleId'] === id);
    assert.deepEqual(of('pass'), []);
    assert.match(JSON.stringify(of('waived')[0]?.['suppressions']), /Approved <by>/);
    assert.deepEqual(
      of('known').map((result) => result['baselineState']),
      ['unchanged', 'new'],
    );
  });

  it('contains no link from external text, and no duplicate ID', async () => {
    const [{ control, ...rest }] = (await report([resultOf('AC-1', { rows: ['a'] })])).results as [
      ControlResult,
    ];
    const titled = { ...rest, control: { ...control, title: 'See [this](https://a.example/)' } };
    const sarif = sarifOfControls({ ...(await report([])), results: [titled] }) as {
      readonly runs: readonly [
        {
          readonly tool: { readonly driver: { readonly rules: readonly { readonly name: string }[] } };
          readonly results: readonly { readonly message: { readonly text: string } }[];
        },
      ];
    };
    const [{ tool, results }] = sarif.runs;
    assert.equal(tool.driver.rules[0]?.name, 'See [this](https://a.example/)');
    assert.ok(results[0]?.message.text.startsWith('AC-1 See [this] (https://a.example/): a row ('));
  });

  it('is written although a name has half a character', async () => {
    const [one] = (await report([resultOf('AC-1', { rows: ['a'] })])).results as [ControlResult];
    for (const place of [{ name: 'a/b\ud800' }, { name: 'b\ud800', savedQueryId: '\udc00' }]) {
      const sarif = JSON.stringify(sarifOfControls({ ...(await report([])), results: [{ ...one, place }] }));
      assert.match(sarif, /b%EF%BF%BD/);
    }
  });
});

describe('Markdown', () => {
  it('is a table of the rows below a name, which is never markup', async () => {
    const sampled = resultOf('AC-1', { rows: ['a|b'], sampleRows: 1 });
    const lines = markdownOf(await report([sampled])).split('\n');
    const start = lines.findIndex((line) => line.startsWith('<details>'));
    assert.deepEqual(lines.slice(start, start + 5), [
      '<details><summary>Rows of AC&#45;1 A &#60;title&#62; &#38; &#34;quotes&#34; &#124; &#60;U&#43;0007&#62; &#93;&#93;&#62;</summary>',
      '',
      '| id |',
      '| --- |',
      String.raw`| a\|b |`,
    ]);
  });

  it('names outcomes, and identifies controls without an ID by their files', async () => {
    const markdown = markdownOf(
      await report([resultOf('waived', { rows: ['a'], waived: ['a'] }), resultOf('(', {})]),
    );
    assert.match(markdown, /^\| ☑️ waived \| waived A /m);
    assert.match(markdown, /^\| ❗ in error \| queries\\\/folder name\\\/a\\&b\\\.identity\\\.sql \|/m);
  });
});

describe('reports', () => {
  it('name each waived row, wherever it is', async () => {
    const ids = Array.from({ length: 1_500 }, (_, index) => `row ${index}`);
    const one = await resultOf('many', { rows: ids, waived: ids.slice(400), isEveryRow: true });
    const waived = one.digests.filter(({ state }) => state === 'waived');
    assert.deepEqual([one.digests.length, waived.length], [1_100, 1_100]);
    const last = await resultOf('last', { rows: ids, waived: ids.slice(-1), isEveryRow: true });
    assert.equal(last.digests.length, 1_000);
    assert.match(htmlOf(await report([Promise.resolve(last)])), /Waived rows/);
  });

  const marker = 'marker-5f1c';
  const marked = () =>
    resultOf('AC-1', {
      rows: Array.from({ length: 500 }, (_, index) => `${marker} ${index}`),
      lines: ['-- @error_if rows > 400'],
    });
  const texts = (told: ControlReport) => [
    junitOf(told),
    JSON.stringify(sarifOfControls(told)),
    markdownOf(told),
    JSON.stringify(jsonOfControls(told)),
  ];

  it('show until when a row is waived, by whom and why', async () => {
    const told = await report([resultOf('waived', { rows: ['a'], waived: ['a'] })]);
    for (const text of texts(told)) {
      assert.match(text, /9999(?:\\?-)12(?:\\?-)31/);
      assert.match(text, /iam/);
      assert.match(text, /Approved/);
    }
    assert.doesNotMatch(markdownOf(told), /@(?!<!-- -->)/);
  });

  it('contain no row values', async () => {
    for (const text of texts(await report([marked()]))) assert.doesNotMatch(text, /marker-5f1c/);
  });

  it('contain rows if requested', async () => {
    const sampled = resultOf('AC-1', { rows: [marker, 'second'], sampleRows: 1 });
    const [junit, , markdown, json] = texts(await report([sampled]));
    for (const text of [junit, markdown?.replaceAll('\\', ''), json]) {
      assert.match(text ?? '', /marker-5f1c/);
      assert.doesNotMatch(text ?? '', /second/);
    }
  });

  it('contain no markup from external text', async () => {
    const markdown = markdownOf(await every());
    assert.doesNotMatch(markdown, /<title>|<b>/);
  });
});
