/**
 * The server's own thread takes linear time for a document of any shape, and for a rename in it. Counted in steps of the code, at two sizes, so
 * that the result is the same on every machine. What the engine does in one step, such as a search in a text, is
 * measured at the largest size by `npm run fuzz -- documents`.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startCounting } from '../../helpers/count-steps.ts';

const counter = startCounting('/server/src/');
const { Analyser } = await import('#server/language/checks/analyser.ts');
const { shownFindings } = await import('#server/language/checks/shown-findings.ts');
const { parametersOf } = await import('#server/language/checks/parameters/inferred-parameters.ts');
const { rename } = await import('#server/language/editing/rename.ts');
const { complete } = await import('#server/language/editing/completion.ts');
const { readOutline } = await import('#server/language/names/over-tokens/read-outline.ts');
const { lex } = await import('#server/language/text/lexer/lex.ts');
const { ServerParser } = await import('#server/parser/server-parser.ts');
const { toDiagnostic } = await import('#server/handlers/convert.ts');
const { LineIndex } = await import('#server/language/text/lines.ts');
const { randomFrom } = await import('#test/helpers/agent-queries.ts');
const { longDocuments, makeDocument, shortStatements } = await import('#test/helpers/document-shapes.ts');
const { goldenCatalogue } = await import('./language/checks/golden-catalogue.ts');

const parser = new ServerParser();
after(async () => {
  counter.stop();
  await parser.dispose();
});

/** Nothing that is counted runs before it, since each of these takes its own steps: to take them is a third of the time. */
async function stepsFor(text: string): Promise<number> {
  const analysis = await new Analyser(parser).analyse(text, {
    isSavedQuery: false,
    catalogue: goldenCatalogue,
    model: 'platform_identity',
  });
  const lines = new LineIndex(text);
  for (const finding of shownFindings(analysis?.findings ?? []))
    toDiagnostic(lines, finding, () => undefined);
  return counter.take();
}

const sizes = [1_500, 6_000, 24_000] as const;
/** Four times the length takes four times the steps; a part with the square of the length soon takes more. */
const mostGrowth = 6;

const shapes: readonly (readonly [name: string, make: (size: number) => string])[] = [
  ...Object.entries(longDocuments),
  ...shortStatements.map(
    (statement) =>
      [
        JSON.stringify(statement),
        (size: number) => `${statement};\n`.repeat(size / (statement.length + 2)),
      ] as const,
  ),
  ...Array.from(
    { length: Number(process.env['FUZZ_SHAPES'] ?? 30) },
    (_, seed) => [`shape ${seed}`, (size: number) => makeDocument(randomFrom(seed), size)] as const,
  ),
];

const isSteep = (steps: readonly number[]): boolean =>
  (steps.at(-1) ?? 0) > mostGrowth * (steps.at(-2) ?? 0) + 20_000;

describe('the analysis of a document', () => {
  it('takes steps in proportion to its length, whatever its shape', async () => {
    await stepsFor('SELECT 1');
    const steep: string[] = [];
    for (const [name, make] of shapes) {
      const steps = [await stepsFor(make(sizes[0])), await stepsFor(make(sizes[1]))];
      if (!isSteep(steps)) continue;
      // Other rules may apply to the larger text, once. Only growth goes on.
      steps.push(await stepsFor(make(sizes[2])));
      if (isSteep(steps)) steep.push(`${name}: ${steps.join(', ')}: ${counter.most().join(', ')}`);
    }
    assert.deepEqual(steep, []);
  });
});

describe('the types of parameters', () => {
  it('take steps in proportion to their number', async () => {
    const context = { catalogue: goldenCatalogue, model: 'platform_identity' };
    const steps: number[] = [];
    for (const size of sizes) {
      const text = `SELECT ${Array.from({ length: size / 8 }, (_, n) => `:p${n}`).join(', ')}`;
      const analysis = await new Analyser(parser).analyse(text, { isSavedQuery: false, ...context });
      const [statement] = analysis?.statements ?? [];
      assert.ok(statement !== undefined);
      counter.take();
      assert.equal(parametersOf(statement, context).length, statement.placeholders.length);
      steps.push(counter.take());
    }
    assert.ok(!isSteep(steps), steps.join(', '));
  });
});

const renamed: Readonly<Record<string, (size: number) => string>> = {
  conditions: (size) => `SELECT x.id FROM t AS x WHERE x.id = 0${' OR x.id = 1'.repeat(size / 12)}`,
  elements: (size) => `SELECT x.id FROM t AS x GROUP BY ${'x.id, '.repeat(size / 6)}x.id`,
  brackets: (size) => `SELECT x.id FROM t AS x WHERE x.id IN (${'(x.id), '.repeat(size / 8)}0)`,
  'other queries': (size) => `WITH ${'a AS (SELECT 1), '.repeat(size / 17)}b AS (SELECT 2) SELECT 3 AS x`,
  tags: (size) => `SELECT xmlforest(${'x AS y, '.repeat(size / 8)}1 AS z) FROM (SELECT 1 AS x) t`,
};

describe('a rename', () => {
  for (const [name, make] of Object.entries(renamed))
    it(`takes steps in proportion to the number of ${name}`, () => {
      const steps = sizes.map((size) => {
        const text = make(size);
        counter.take();
        assert.equal(rename(lex(text), text.indexOf('AS x') + 3, 'y', { model: 'm' }).kind, 'changes');
        return counter.take();
      });
      assert.ok(!isSteep(steps), steps.join(', '));
    });
});

const outputs: Readonly<Record<string, (size: number) => string>> = {
  'nested CASE': (size) =>
    `SELECT ${'CASE WHEN a THEN 1 ELSE '.repeat(size / 27)}b${' END'.repeat(size / 27)} FROM t`,
  casts: (size) => `SELECT a${'::b'.repeat(size / 3)} FROM t`,
  subqueries: (size) => `SELECT ${'(SELECT 1), '.repeat(size / 12)}1`,
};

describe('the outline of a query', () => {
  for (const [name, make] of Object.entries(outputs))
    it(`takes steps in proportion to the number of ${name} in its outputs`, () => {
      const steps = sizes.map((size) => {
        const { code } = lex(make(10 * size));
        counter.take();
        assert.ok(readOutline(code, 0, code.length - 1).query !== undefined);
        return counter.take();
      });
      assert.ok(!isSteep(steps), `${steps.join(', ')}: ${counter.most().join(', ')}`);
    });
});

it('a completion takes steps in proportion to the number of unknown tables', () => {
  const steps = sizes.map((size) => {
    const text = `SELECT  FROM accounts${Array.from({ length: size / 8 }, (_, n) => `, t${n}`).join('')}`;
    counter.take();
    const { suggestions } = complete(lex(text), 'SELECT '.length, {
      catalogue: goldenCatalogue,
      model: 'platform_identity',
    });
    assert.ok(suggestions.length > 0);
    return counter.take();
  });
  assert.ok(!isSteep(steps), `${steps.join(', ')}: ${counter.most().join(', ')}`);
});
