/**
 * Reads what the read-only proof needs from the text of PostgreSQL's parse tree (libpg-query's JSON) without building
 * the tree, which would cost as much as the parsing. Keys cannot be forged: inside a JSON string every double quote
 * is escaped, so `"DeleteStmt":{` is always a key.
 */

import type { Call } from '../parser.ts';
import { occurrences, readCalls } from './tree-calls.ts';

/** As WritingPart, with the anchor still in bytes of UTF-8. */
export interface WritingNode {
  readonly kind: 'statement' | 'into' | 'lock';
  readonly node: string;
  readonly anchorByte?: number;
}

export interface TreeFacts {
  readonly calls: readonly Call[];
  readonly statementCount: number;
  readonly node: string;
  readonly writingNodes: readonly WritingNode[];
}

const statementKey = 'Stmt":{';
const intoKey = '"intoClause":{';
const lockKey = '"lockingClause":[';

/** Everything but SELECT counts as writing, whatever its name: a node nobody thought of is refused. */
export function readTreeFacts(tree: string): TreeFacts {
  const writingNodes: WritingNode[] = [];
  for (const at of occurrences(tree, statementKey)) {
    const nameStart = tree.lastIndexOf('"', at) + 1;
    const node = tree.slice(nameStart, at + 'Stmt'.length);
    // A field (`selectStmt`) holds a node of its own, which is found by itself.
    if (node !== 'SelectStmt' && /^[A-Z]/.test(node)) {
      writingNodes.push(withAnchor('statement', node, tree, at + statementKey.length, '"relation":{'));
    }
  }
  for (const at of occurrences(tree, intoKey)) {
    writingNodes.push(withAnchor('into', 'IntoClause', tree, at + intoKey.length, '"rel":{'));
  }
  [...occurrences(tree, lockKey)].forEach(() => writingNodes.push({ kind: 'lock', node: 'LockingClause' }));
  const statementCount = [...occurrences(tree, '"stmt":{')].length;
  return { statementCount, node: firstNode(tree), writingNodes, calls: readCalls(tree) };
}

function firstNode(tree: string): string {
  const opening = '"stmts":[{"stmt":{"';
  const start = tree.indexOf(opening);
  const end = tree.indexOf('"', start + opening.length);
  return start < 0 || end < 0 ? '' : tree.slice(start + opening.length, end);
}

const jsonString = String.raw`"(?:[^"\\]|\\.)*"`;
/** A relation's members, its alias (one object) among them, up to its location. */
const relationLocation = new RegExp(
  String.raw`(?:[^"{}]|${jsonString}|\{(?:[^"{}\[\]]|\[[^\]]*\]|${jsonString})*\})*?"location":(\d+)\}`,
  'y',
);

function withAnchor(
  kind: WritingNode['kind'],
  node: string,
  tree: string,
  bodyStart: number,
  relationKey: string,
): WritingNode {
  if (!tree.startsWith(relationKey, bodyStart)) {
    return { kind, node };
  }
  relationLocation.lastIndex = bodyStart + relationKey.length;
  const location = relationLocation.exec(tree)?.[1];
  return location === undefined ? { kind, node } : { kind, node, anchorByte: Number(location) };
}
