/** Every sender of a query passes the gate: nothing else calls the execute endpoint. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import ts from 'typescript-api';
import type { ExecuteOptions } from '#api/client/client.ts';
import { NotPermittedError, ownQuery, permit, sendQuery, sendQueryPacked } from '#core/policy/send-query.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

/** Finds code that calls `queries.execute` or `queries.executeBytes`, or refers to the endpoint. */
function sendersIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const words = node.getText(source).replaceAll(/[\s?!]/g, '');
      if (/(^|\.)queries\.(execute|executeBytes)$/.test(words) || words === 'endpoints.executeQuery')
        found.push(words);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.map((words) => `${file}: ${words}`);
}

describe('the gate', () => {
  it('is the only sender of queries', () => {
    const files = globSync(
      ['api/client/**/*.ts', 'core/src/**/*.ts', 'client/src/**/*.ts', 'cli/src/**/*.ts'],
      {
        cwd: root,
      },
    ).map((file) => file.replaceAll('\\', '/'));
    assert.ok(files.length > 300);
    const senders = files.flatMap((file) => sendersIn(file, readFileSync(path.join(root, file), 'utf8')));
    assert.deepEqual(
      senders.sort().filter((place) => !allowed.has(place)),
      [],
    );
  });

  it('detects a sender, however it is written', () => {
    assert.equal(
      sendersIn('x.ts', 'await this.#deps.client\n  .queries!.execute({ query_string })').length,
      1,
    );
    assert.equal(sendersIn('x.ts', 'const send = client?.queries.executeBytes;').length, 1);
    assert.equal(sendersIn('x.ts', 'requester.send(endpoints.executeQuery, {})').length, 1);
  });

  it('gives no permit for refused queries, or for unconfirmed ones', () => {
    const ask = { kind: 'ask', reason: 'side-effects', parts: [] } as const;
    assert.equal(permit({ kind: 'go', isProven: true }, 'not-asked').reason, 'proven');
    assert.equal(permit({ kind: 'go', isProven: false }, 'not-asked').reason, 'allowed');
    assert.equal(permit(ask, 'confirmed').reason, 'confirmed');
    assert.throws(() => permit(ask, 'not-asked'), NotPermittedError);
    assert.throws(() => permit({ kind: 'refuse' }, 'confirmed'), NotPermittedError);
  });
});

describe('a query that the gate allows', () => {
  it('is sent again only if it is proven read-only', async () => {
    const told: ExecuteOptions[] = [];
    const page = { columns: [], rows: [] };
    const client = {
      queries: {
        execute: (_: unknown, options: ExecuteOptions = {}) => Promise.resolve((told.push(options), page)),
        executeBytes: (_: unknown, __: unknown, options: ExecuteOptions = {}) =>
          Promise.resolve((told.push(options), page)),
      },
    };
    const ask = { kind: 'ask', reason: 'side-effects', parts: [] } as const;
    const request = { query_string: 'SELECT 1' };
    for (const [given, isRepeatable] of [
      [permit({ kind: 'go', isProven: true }, 'not-asked'), undefined],
      [ownQuery(), undefined],
      [permit({ kind: 'go', isProven: false }, 'not-asked'), false],
      [permit(ask, 'confirmed'), false],
    ] as const) {
      told.length = 0;
      await sendQuery(client, given, request);
      await sendQueryPacked(client, given, { request, scanner: new PageScanner('texts') });
      assert.deepEqual(
        told.map(({ isRepeatable: repeats }) => repeats),
        [isRepeatable, isRepeatable],
      );
    }
  });
});

describe('queries of this program', () => {
  const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
  const analyser = new Analyser(parser);
  after(() => parser.dispose());
  const files = globSync(
    ['api/client/**/*.ts', 'core/src/**/*.ts', 'client/src/**/*.ts', 'cli/src/**/*.ts'],
    {
      cwd: root,
    },
  )
    .map((file) => ({ name: path.basename(file), text: readFileSync(path.join(root, file), 'utf8') }))
    .filter(({ name, text }) => /ownQuery\(\)/.test(text) || name === 'connection-test.ts')
    .filter(({ name }) => name !== 'send-query.ts');

  it('are constant texts, except for parameters and names from our own contract or of known columns', () => {
    assert.deepEqual(files.map(({ name }) => name).sort(), ownSenders);
  });

  it('are proven read-only', async () => {
    const queries = files
      .flatMap(({ text }) => [...text.matchAll(/`(SELECT\b[^`]*)`|'(SELECT\b[^'\n]*)'/g)])
      .map(([, template, plain]) =>
        (template ?? plain ?? '')
          .replaceAll(/\$\{[^}]*\}/g, 'x')
          .replaceAll('\\n', '\n')
          .replaceAll(/\(\s*x\s*\)/g, '(SELECT 1)'),
      );
    assert.ok(queries.length >= 12, String(queries.length));
    for (const sql of queries) {
      const analysis = await analyser.analyse(sql, { isSavedQuery: true });
      assert.deepEqual(
        analysis?.statements.map(({ verdict }) => verdict),
        ['read-only'],
        sql,
      );
    }
  });
});

const ownSenders: readonly string[] = [
  'ask-filter.ts',
  'candidates.ts',
  'change-service.ts',
  'column-values.ts',
  'connection-test.ts',
  'find-record.ts',
  'memberships.ts',
  'model-schema.ts',
  'open-referring.ts',
  'preview.ts',
];

const allowed = new Set([
  // The endpoint itself and the gate.
  'api/client/result-pages.ts: endpoints.executeQuery',
  'core/src/policy/send-query.ts: client.queries.execute',
  'core/src/policy/send-query.ts: client.queries.executeBytes',
  // Runs a constant query, before a connection exists.
  'api/client/network/connection-test.ts: client.queries.execute',
]);
