/**
 * Extracts the facts for the read-only proof from the text of PostgreSQL's parse tree (libpg-query's JSON) without
 * parsing the JSON, which would take as long as parsing the SQL.
 */

import type { TypeCatalogue } from '#server/language/types/catalogue/catalogue.ts';
import type { Call } from '../parser.ts';
import { readCalls } from './tree-calls.ts';
import { findKeys, statementKey, type TreeKey } from './tree-keys.ts';

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

/**
 * Treats every statement node except SELECT as writing, so unknown nodes are rejected.
 * @param catalogue loads PostgreSQL's functions, if the tree calls any
 * @param parsed parses the tree's JSON; called only if a name's meaning depends on its context
 */
export function readTreeFacts(
  tree: string,
  catalogue: () => TypeCatalogue,
  parsed: () => unknown = () => JSON.parse(tree) as unknown,
): TreeFacts {
  const keys = findKeys(tree);
  const after = (key: TreeKey): readonly number[] => keys.get(key) ?? [];
  const writingNodes: WritingNode[] = [];
  for (const start of after(statementKey)) {
    const node = nodeBefore(tree, start);
    // A field such as `selectStmt` contains a node, which is matched separately.
    if (node !== 'SelectStmt' && /^[A-Z]/.test(node))
      writingNodes.push(withAnchor('statement', node, tree, start, '"relation":{'));
  }
  for (const start of after('"intoClause":{'))
    writingNodes.push(withAnchor('into', 'IntoClause', tree, start, '"rel":{'));
  after('"lockingClause":[').forEach(() => writingNodes.push({ kind: 'lock', node: 'LockingClause' }));
  return {
    statementCount: after('"stmt":{').length,
    node: firstNode(tree),
    writingNodes,
    calls: readCalls(tree, after, catalogue, parsed),
  };
}

/** Returns the name of the node whose content starts at a position. */
function nodeBefore(tree: string, start: number): string {
  const end = start - '":{'.length;
  return tree.slice(tree.lastIndexOf('"', end - 1) + 1, end);
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
  if (!tree.startsWith(relationKey, bodyStart)) return { kind, node };
  relationLocation.lastIndex = bodyStart + relationKey.length;
  const location = relationLocation.exec(tree)?.[1];
  return location === undefined ? { kind, node } : { kind, node, anchorByte: Number(location) };
}
