import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import { modelNamedBy, queryLengthMax } from '#server/language/checks/analysis.ts';
import type { SqlParser } from '#server/language/checks/parser.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { corpora, readCorpus } from '#test/helpers/corpora.ts';
import { withoutInspections } from '../without-inspections.ts';

const parser = new WorkerParser({ timeLimitsMs: [20_000, 20_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

const codes = async (text: string, isSavedQuery = true): Promise<(readonly [string, string])[]> =>
  ((await analyser.analyse(text, { isSavedQuery }))?.findings ?? []).map(({ code, severity }) => [
    code,
    severity,
  ]);

describe('a query with many findings', () => {
  it('creates the edit of a shared fix once, not for each finding', async () => {
    const columns = Array.from({ length: 2_000 }, (_, index) => `c${index}`);
    const text = `SELECT team, ${columns.join(' + ')} FROM t GROUP BY team`;
    const analysis = await analyser.analyse(text, { isSavedQuery: true });
    const found = analysis?.findings.filter(({ code }) => code === 'UNGROUPED_COLUMN') ?? [];
    assert.equal(found.length, columns.length);
    assert.equal(new Set(found.map(({ fix }) => fix?.edits[0])).size, 1);
  });

  it('says of the first unknown names what other databases mean by them', async () => {
    const conditions = Array.from({ length: 300 }, (_, index) => `name = @p${index}`);
    const text = `SELECT id FROM accounts WHERE ${conditions.join(' AND ')}`;
    const accounts = { name: 'accounts', columns: ['id', 'name'].map((name) => ({ name, type: 'text' })) };
    const catalogue: Catalogue = { models: [{ name: 'people', tables: [accounts] }] };
    const analysis = await analyser.analyse(text, { isSavedQuery: true, model: 'people', catalogue });
    const found = analysis?.findings.filter(({ code }) => code === 'UNKNOWN_COLUMN') ?? [];
    assert.equal(found.length, conditions.length);
    assert.match(found[0]?.message ?? '', /Write a parameter as :name/);
    assert.doesNotMatch(found.at(-1)?.message ?? '', /Write a parameter/);
  });
});

describe('the text as a whole', () => {
  it('is one statement if it is a saved query', async () => {
    assert.deepEqual(await codes('SELECT 1; SELECT 2'), [['MULTIPLE_STATEMENTS', 'error']]);
    assert.deepEqual(await codes('SELECT 1; SELECT 2', false), []);
    assert.deepEqual(await codes('SELECT 1;'), []);
  });

  it('is not empty', async () => {
    assert.deepEqual(await codes(''), [['EMPTY_QUERY', 'warning']]);
    assert.deepEqual(await codes('-- later\n;'), [['EMPTY_QUERY', 'warning']]);
    assert.deepEqual(await codes('', false), [['EMPTY_QUERY', 'hint']]);
  });

  it('is no longer than the service allows, in characters', async () => {
    const padding = queryLengthMax - 'SELECT 1 --'.length;
    assert.deepEqual(await codes(`SELECT 1 --${'x'.repeat(padding)}`), []);
    assert.deepEqual(await codes(`SELECT 1 --${'💥'.repeat(padding)}`), []);
    assert.deepEqual(await codes(`SELECT 1 --${'x'.repeat(padding)}x`), [['QUERY_TOO_LONG', 'error']]);
  });

  it('may name its model', async () => {
    const analysis = await analyser.analyse('-- @model a\n-- @model b\nSELECT 1', { isSavedQuery: true });
    assert.ok(analysis !== undefined);
    assert.equal(modelNamedBy(analysis), 'b');
  });

  it('has its placeholders in order, with repetitions', async () => {
    const text = "SELECT :a, ':b', :c FROM t WHERE x = :a";
    const analysis = await analyser.analyse(text, { isSavedQuery: true });
    assert.deepEqual(
      analysis?.statements[0]?.placeholders.map(({ name, start, end }) => [name, text.slice(start, end)]),
      [
        ['a', ':a'],
        ['c', ':c'],
        ['a', ':a'],
      ],
    );
  });
});

/** Records the strings the parser receives. */
function counting(inner: SqlParser): SqlParser & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    parse(batch, isCancelled) {
      texts.push(...batch);
      return inner.parse(batch, isCancelled);
    },
    readNames: (...asked) => inner.readNames(...asked),
  };
}

describe('after an edit', () => {
  it('parses only the changed statement', async () => {
    const counted = counting(parser);
    const own = new Analyser(counted);
    await own.analyse('SELECT 1; SELECT 2; SELECT 2; SELECT :a', { isSavedQuery: false });
    counted.texts.length = 0;
    const analysis = await own.analyse('SELECT 1; -- new\nSELECT 3; SELECT 2; SELECT :b', {
      isSavedQuery: false,
    });
    assert.deepEqual(counted.texts, ['SELECT 3']);
    assert.equal(analysis?.statements.length, 4);
  });

  it('reads no statement twice if a newer check takes over', async () => {
    const asked: string[][] = [];
    const read: string[] = [];
    const own = new Analyser({
      parse: (...request) => parser.parse(...request),
      readNames(texts, isCancelled, onRead) {
        asked.push([...texts]);
        return parser.readNames(texts, isCancelled, (text, meaning) => {
          read.push(text);
          onRead?.(text, meaning);
        });
      },
    });
    const columns = Array.from({ length: 400 }, (_, index) => `column_${index}`).join();
    const text = Array.from({ length: 6 }, (_, index) => `SELECT ${columns} FROM t${index}`).join(';');
    const isTakenOver = () => read.length > 0;
    assert.equal(await own.analyse(text, { isSavedQuery: false }, isTakenOver), undefined);
    const [first = []] = asked.splice(0);
    const before = new Set(read);
    assert.equal(first.length, 6);
    assert.ok(before.size > 0 && before.size < 6, `${before.size} were read`);
    const analysis = await own.analyse(text, { isSavedQuery: false });
    assert.ok(analysis?.statements.every(({ query }) => query !== undefined));
    assert.deepEqual(asked, [first.filter((each) => !before.has(each))]);
  });

  it('returns undefined if a newer check has taken over', async () => {
    assert.equal(await analyser.analyse('SELECT 99', { isSavedQuery: false }, () => true), undefined);
  });
});

describe('long and deep statements', () => {
  const catalogue = {
    models: [
      { name: 'platform_identity', tables: [{ name: 't', columns: [{ name: 'id', type: 'integer' }] }] },
    ],
  };
  const found = async (text: string): Promise<(readonly [string, string])[]> => {
    // If the worker did not respond, the second pass would be skipped, and there would be no findings.
    const analysis = await analyser.analyse(text, { isSavedQuery: false, catalogue });
    return (analysis?.findings ?? []).map(({ code, start, end }) => [code, text.slice(start, end)]);
  };

  it('are read to the end, with 3,500 branches of UNION', async () => {
    const branches = 'SELECT id FROM t UNION ALL\n'.repeat(3_500);
    assert.deepEqual(await found(`${branches}SELECT idd FROM t`), [['UNKNOWN_COLUMN', 'idd']]);
    assert.deepEqual(await found(`${branches}SELECT id, 1 FROM t`), [['SET_OPERATION_COLUMNS', 'SELECT']]);
    assert.deepEqual(await found(`WITH RECURSIVE r AS (${branches}SELECT id + 1 FROM r) SELECT idd FROM r`), [
      ['UNKNOWN_COLUMN', 'idd'],
    ]);
  });

  it('keep clauses of one side of a set operation with that side', async () => {
    const tables = 'SELECT id FROM t UNION (WITH c AS (SELECT id AS x FROM t) SELECT x FROM c)';
    assert.deepEqual(await found(`${tables} UNION SELECT x FROM t`), [['UNKNOWN_COLUMN', 'x']]);
    assert.deepEqual(
      await found('(SELECT id FROM t UNION SELECT id FROM t ORDER BY 1) EXCEPT SELECT y FROM t'),
      [['UNKNOWN_COLUMN', 'y']],
    );
    assert.deepEqual(
      await found('WITH c AS (SELECT 1 AS x) SELECT x FROM c UNION SELECT x FROM c UNION SELECT id FROM t'),
      [],
    );
  });

  it('are proven read-only at any depth, and their names are read to any realistic depth', async () => {
    const nested = (depth: number): string =>
      `${'SELECT id FROM ('.repeat(depth)}SELECT id FROM t${') AS s'.repeat(depth)}`;
    assert.deepEqual(await found(`SELECT idd FROM (${nested(150)}) AS s`), [['UNKNOWN_COLUMN', 'idd']]);
    const analysis = await analyser.analyse(nested(1_500), { isSavedQuery: false, catalogue });
    // The only finding reports that the editing features are off.
    assert.deepEqual(
      analysis?.findings.map(({ code }) => code),
      ['NOT_FULLY_CHECKED'],
    );
    assert.equal(analysis.statements[0]?.verdict, 'read-only');
    assert.equal(analysis.statements[0].query, undefined);
  });
});

/** Creates a table for each word in `sql`, with as many columns as the service's tables. */
function wideTables(sql: string): Catalogue {
  const columns = Array.from({ length: 100 }, (_, index) => ({ name: `c${index}`, type: 'text' }));
  const names = new Set(sql.toLowerCase().match(/[a-z_]\w*/g));
  return { models: [{ name: 'platform_identity', tables: [...names].map((name) => ({ name, columns })) }] };
}

describe('corpora', () => {
  for (const file of corpora) {
    it(`finds nothing wrong in ${file}`, async () => {
      for (const { id, sql } of readCorpus(file)) {
        const analysis = await analyser.analyse(sql, { isSavedQuery: true });
        // Some corpus queries call other databases' functions.
        const isUnknown = analysis?.statements[0]?.calls?.every(({ does }) => does === undefined) ?? false;
        const found = withoutInspections(analysis?.findings);
        assert.deepEqual(isUnknown ? found.filter(({ code }) => code !== 'UNKNOWN_FUNCTION') : found, [], id);
        assert.equal(analysis?.statements[0]?.verdict, isUnknown ? 'unknown-function' : 'read-only', id);
      }
    });

    it(`stays within the limits for names, and finds no hidden character, in ${file}`, async () => {
      for (const { id, sql } of readCorpus(file)) {
        const analysis = await analyser.analyse(sql, { isSavedQuery: true, catalogue: wideTables(sql) });
        const codes = new Set(analysis?.findings.map(({ code }) => code));
        assert.ok(analysis !== undefined && !codes.has('NOT_FULLY_CHECKED'), id);
        assert.ok(!codes.has('HIDDEN_CHARACTER'), id);
      }
    });
  }
});
