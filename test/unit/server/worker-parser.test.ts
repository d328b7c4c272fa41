import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import { WorkerParser, type WorkerParserOptions } from '#server/parser/worker-parser.ts';

async function withParser(
  options: WorkerParserOptions,
  use: (parser: WorkerParser) => Promise<void>,
): Promise<void> {
  const parser = new WorkerParser({ timeLimitsMs: [20_000, 20_000], ...options });
  try {
    await use(parser);
  } finally {
    await parser.dispose();
  }
}

/** Runs `use` with a fake worker script that executes `body` for each string and then returns a fixed outcome. */
async function withScript(body: string, use: (script: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-'));
  const script = path.join(folder, 'worker.cjs');
  await writeFile(
    script,
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', ({ texts }) => {
       for (const text of texts) { ${body} }
       const outcomes = texts.map(() => ({ kind: 'parsed', statementCount: 1, node: 'SelectStmt', writingParts: [], calls: [] }));
       parentPort.postMessage({ kind: 'parse', outcomes });
     });
     parentPort.postMessage({ kind: 'ready' });`,
  );
  try {
    await use(script);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('parser in a worker', () => {
  it('accepts 100 KB of any shape, and the next statement', async () => {
    await withParser({}, async (parser) => {
      const outcomes = await parser.parse([
        `SELECT ${'1+'.repeat(50_000)}1`,
        `SELECT ${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
        `SELECT ${Array.from({ length: 9_000 }, (_, i) => `column_${i}`).join(',')} FROM t`,
        `SELECT 1 ${'UNION ALL SELECT 1 '.repeat(5_000)}`,
        `SELECT * FROM t WHERE x IN (${'1,'.repeat(50_000)}1)`,
        'SELECT 1',
      ]);
      assert.deepEqual(
        outcomes?.map(({ kind }) => kind),
        Array.from({ length: 6 }, () => 'parsed'),
      );
    });
  });

  it('gives up on text that breaks the parser, and continues with a new instance', async () => {
    await withParser({}, async (parser) => {
      const outcomes = await parser.parse([
        `SELECT ${'('.repeat(400_000)}1${')'.repeat(400_000)}`,
        'SELECT 1',
        'SELEC',
      ]);
      assert.notEqual(outcomes?.[0]?.kind, 'parsed');
      assert.deepEqual(
        outcomes?.slice(1).map(({ kind }) => kind),
        ['parsed', 'syntax-error'],
      );
    });
  });

  it('terminates a worker that does not respond, and leaves only the offending statement without a verdict', async () => {
    await withScript(`if (text === 'hang') for (;;);`, (script) =>
      withParser({ script, timeLimitsMs: [50, 300] }, async (parser) => {
        const outcomes = await parser.parse(['a', 'hang', 'b']);
        assert.deepEqual(
          outcomes?.map(({ kind }) => kind),
          ['parsed', 'gave-up', 'parsed'],
        );
      }),
    );
  });

  it('answers others while texts keep workers busy, however many there are', async () => {
    await withScript(`if (text.startsWith('hang')) for (;;);`, (script) =>
      withParser({ script, timeLimitsMs: [100_000, 100_000] }, async (parser) => {
        const hanging = parser.parse(['hang']);
        assert.equal((await parser.parse(['a']))?.length, 1);
        assert.equal((await parser.parse(['b']))?.length, 1);
        await parser.dispose();
        assert.equal(await hanging, undefined);
      }),
    );
    await withScript(`if (text.startsWith('hang')) for (;;);`, (script) =>
      withParser({ script, timeLimitsMs: [50, 100_000] }, async (parser) => {
        const hanging = ['hang 1', 'hang 2', 'hang 3', 'hang 4', 'hang 5'].map((text) =>
          parser.parse([text]),
        );
        assert.equal((await parser.parse(['a']))?.length, 1);
        await parser.dispose();
        assert.deepEqual(new Set(await Promise.all(hanging)), new Set([undefined]));
      }),
    );
  });

  it('serves requests in turns, whatever their size', async () => {
    await withScript('', (script) =>
      withParser({ script }, async (parser) => {
        // While a first worker starts slowly, a second one is started, and they do not take turns.
        await parser.warmUp();
        const order: string[] = [];
        const texts = Array.from({ length: 20 }, (_, n) => `${n}${'x'.repeat(65_000)}`);
        await Promise.all([
          parser.parse(texts).then(() => order.push('large')),
          parser.parse(['a']).then(() => order.push('small')),
        ]);
        assert.deepEqual(order, ['small', 'large']);
      }),
    );
  });

  it('replaces a worker that has exited', async () => {
    await withScript(`if (text === 'die') process.exit(1);`, (script) =>
      withParser({ script }, async (parser) => {
        const outcomes = await parser.parse(['die', 'a']);
        assert.deepEqual(
          outcomes?.map(({ kind }) => kind),
          ['gave-up', 'parsed'],
        );
      }),
    );
  });

  it('returns undefined for a request that was cancelled, or is pending when it is disposed', async () => {
    await withParser({}, async (parser) => {
      assert.equal(await parser.parse(['SELECT 1'], () => true), undefined);
      const pending = parser.parse(['SELECT 1']);
      const waiting = parser.parse(['SELECT 2']);
      await parser.dispose();
      assert.equal(await waiting, undefined);
      await pending;
    });
  });

  it('reports unverified text as information, never as an error', async () => {
    await withScript('for (;;);', (script) =>
      withParser({ script, timeLimitsMs: [20, 20] }, async (parser) => {
        const analysis = await new Analyser(parser).analyse('SELECT 1', { isSavedQuery: true });
        assert.deepEqual(
          analysis?.findings.map(({ code, severity }) => [code, severity]),
          [['COULD_NOT_BE_VERIFIED', 'information']],
        );
        assert.equal(analysis.statements[0]?.verdict, 'unverified');
      }),
    );
  });
});
