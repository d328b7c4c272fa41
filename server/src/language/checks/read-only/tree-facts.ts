/**
 * Extracts the facts for the read-only proof from the text of PostgreSQL's parse tree (libpg-query's JSON) without
 * parsing the JSON, which would take as long as parsing the SQL. Keys cannot be forged: JSON strings escape every
 * double quote, so `"DeleteStmt":{` is always a key.
 */

import type { Call } from '../parser.ts';
import { occurrences, readCalls } from './tree-calls.ts';

/** Like WritingPart, but with the anchor in UTF-8 bytes. */
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

/** Treats every statement node except SELECT as writing, so unknown nodes are rejected. */
export function readTreeFacts(tree: string): TreeFacts {
  const writingNodes: WritingNode[] = [];
  for (const at of occurrences(tree, statementKey)) {
    const nameStart = tree.lastIndexOf('"', at) + 1;
    const node = tree.slice(nameStart, at + 'Stmt'.length);
    // A field such as `selectStmt` contains a node, which is matched separately.
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
/** Matches the rest of a relation, including its alias (a single object), up to its location. */
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
