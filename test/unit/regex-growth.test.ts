/**
 * Every regular expression of the sources takes time in proportion to the text, whatever the text: a quadratic one stops
 * an editor with the name of a column. Expressions are found in the sources, so that a new one is tried too.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { attacksOn, textOf, type Attack } from '../helpers/regex-attacks.ts';

const root = path.join(import.meta.dirname, '../..');
const folders = [
  'server/src',
  'api',
  'cli/src',
  'core/src',
  'client/src',
  'client/webview',
  'panel-protocol',
  'sandbox/src/query',
];

/** Of texts that no outsider writes, or that were cut before. Each says why. */
const bounded: ReadonlyMap<string, string> = new Map([
  [String.raw`/\d+$/`, 'of the version of our own format'],
  [String.raw`/[.\s]+$/`, 'of a file name, cut to what a file system takes'],
  [String.raw`/\s+(?=\.|$)/`, 'of a file name, cut to what a file system takes'],
]);

function expressionsIn(file: string): readonly string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const literals = new Set(
  folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(root, folder, file),
      ),
    )
    .filter((file) => file.endsWith('.ts'))
    .flatMap(expressionsIn),
);

function toExpression(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** The least of some runs: others use the processor too. Stops when one was quick. */
function millisecondsOf(expression: RegExp, text: string): number {
  let best = Infinity;
  for (let run = 0; run < 5 && best > quickMs; run += 1) {
    const started = process.cpuUsage();
    expression.lastIndex = 0;
    if (expression.global) text.replaceAll(expression, '');
    else expression.exec(text);
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/**
 * From short to long, so that an exponential one is met while it still ends. A linear one takes about a tenth of a
 * millisecond for the longest, a quadratic one a second.
 */
const lengths = [10, 18, 22, 26, 30, 34, 38, 42, 46, 400, 3_000, 24_000];
const quickMs = 20;
const slowMs = 150;

/** The attack that takes more than its share; undefined where there is none. */
function slowest(expression: RegExp): { readonly attack: Attack; readonly length: number } | undefined {
  for (const attack of attacksOn(expression)) {
    for (const length of lengths) {
      if (millisecondsOf(expression, textOf(attack, length)) > slowMs) return { attack, length };
    }
  }
  return undefined;
}

describe('regular expressions', () => {
  it('are found, and slow ones are recognised', () => {
    assert.ok(literals.size > 250, `${literals.size} expressions`);
    for (const slow of [/\s+$/, /\(.*?\)/g, /(?:a|a)*b/]) {
      assert.notEqual(slowest(slow), undefined, String(slow));
    }
    for (const quick of [/^\s+/, /[^\w]+/g, /^'(?:[^']|'')*'$/])
      assert.equal(slowest(quick), undefined, String(quick));
  });

  it('take time in proportion to the text', () => {
    const slow = [...literals]
      .filter((literal) => !bounded.has(literal))
      .flatMap((literal) => {
        const found = slowest(toExpression(literal));
        return found === undefined ? [] : [`${literal} with ${JSON.stringify(found.attack)}`];
      });
    assert.deepEqual(slow, []);
  });
});
