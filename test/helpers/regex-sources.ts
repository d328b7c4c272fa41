/** Collects the regular expressions in the sources: literals, and those constructed at run time. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-api';

const root = path.join(import.meta.dirname, '../..');
const folders = [
  'server/src',
  'api',
  'cli/src',
  'base',
  'core/src',
  'client/src',
  'client/webview',
  'client/panel-protocol',
  'service/src/query',
];

/** Exempt expressions, with the reason: their input is our own, or is truncated first. */
const bounded: ReadonlyMap<string, string> = new Map([
  [String.raw`/\d+$/`, 'of the version of our own format'],
  [String.raw`/[.\s]+$/`, 'of a file name, cut to what a file system takes'],
  [String.raw`/\s+(?=\.|$)/`, 'of a file name, cut to what a file system takes'],
]);

/** Files whose constructed expressions are exempt, with the reason. */
const boundedMakers: ReadonlyMap<string, string> = new Map([
  ['core/src/parameters/literals.ts', 'of 2,000 characters around the place of a list'],
]);

/** Returns the distinct expressions, without the exempt ones. */
export async function expressionsOfSources(): Promise<readonly RegExp[]> {
  const files = folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(root, folder, file),
      ),
    )
    .filter((file) => file.endsWith('.ts'));
  const found = files.map(expressionsIn);
  const literals = new Set(found.flatMap(({ written }) => written));
  const made = await madeBy(found.flatMap(({ file, made: lines }) => lines.map((line) => ({ file, line }))));
  return [...[...literals].filter((literal) => !bounded.has(literal)).map(toExpression), ...made];
}

interface FoundExpressions {
  readonly file: string;
  readonly written: readonly string[];
  /** 1-based numbers of the lines that construct an expression. */
  readonly made: readonly number[];
}

function expressionsIn(file: string): FoundExpressions {
  const written: string[] = [];
  const made: number[] = [];
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) written.push(node.text);
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
      made.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { file, written, made };
}

function toExpression(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/**
 * Returns the expressions that modules construct while loading. No expression may be constructed later: one built from
 * external text could not be tested here.
 */
async function madeBy(
  places: readonly { readonly file: string; readonly line: number }[],
): Promise<readonly RegExp[]> {
  const made = new Map<string, RegExp>();
  const own = globalThis.RegExp;
  globalThis.RegExp = new Proxy(own, {
    construct(target, given: [string | RegExp, string?]) {
      const expression = new target(...given);
      const caller = new Error().stack?.split('\n')[2] ?? '';
      made.set(/(?:file:\/\/)?(\/[^()]*?:\d+):\d+\)?$/.exec(caller)?.[1] ?? caller, expression);
      return expression;
    },
  });
  try {
    for (const file of new Set(places.map((place) => place.file))) await import(pathToFileURL(file).href);
  } finally {
    globalThis.RegExp = own;
  }
  return places.flatMap(({ file, line }) => {
    const expression = made.get(`${file}:${line}`);
    assert.ok(
      expression,
      `${path.relative(root, file)}:${line} makes an expression when it is called, not when it is loaded`,
    );
    return boundedMakers.has(path.relative(root, file)) ? [] : [expression];
  });
}
