/** Walks a dialect's syntax tree, and lists the parts that are not read-only. */
import type { DialectParsed } from '../language/dialects/outcome.ts';

/** Node types of statements other than queries. */
const writers: ReadonlySet<string> = new Set(
  `insert update delete replace merge create drop alter truncate call exec execute set use grant revoke lock unlock
   rename load copy declare begin commit rollback start savepoint transaction analyze attach detach pragma
   explain describe show comment deallocate prepare execute return if raise assign proc into`.split(/\s+/),
);

/** @param tree the result of `astify`: one statement or several */
export function readDialectTree(tree: unknown): DialectParsed {
  const statements = Array.isArray(tree) ? (tree as readonly unknown[]) : [tree];
  const writing = new Set<string>();
  for (const statement of statements) walk(statement, writing);
  return { kind: 'parsed', statementTypes: statements.map(typeOf), writing: [...writing] };
}

/** Not recursive, since a tree may be deeper than the stack. */
function walk(root: unknown, writing: Set<string>): void {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const node = left.pop();
    if (Array.isArray(node)) {
      node.forEach((child) => left.push(child));
    } else if (typeof node === 'object' && node !== null) {
      inspect(node as Readonly<Record<string, unknown>>, writing); // an object, since arrays are handled above
      Object.values(node).forEach((child) => left.push(child));
    }
  }
}

function inspect(node: Readonly<Record<string, unknown>>, writing: Set<string>): void {
  const type = typeOf(node);
  if (writers.has(type)) writing.add(type);
  // `ast` contains a nested statement, which must be a query.
  if (typeof node['ast'] === 'object' && node['ast'] !== null) {
    for (const inner of Array.isArray(node['ast']) ? (node['ast'] as readonly unknown[]) : [node['ast']]) {
      if (typeOf(inner) !== 'select') writing.add('unknown');
    }
  }
  if (type === 'select') {
    if (node['locking_read'] !== null && node['locking_read'] !== undefined) writing.add('lock');
    const into: unknown = node['into'];
    if (typeof into === 'object' && into !== null && 'position' in into && into.position !== null)
      writing.add('into');
  }
}

function typeOf(node: unknown): string {
  return typeof node === 'object' && node !== null && 'type' in node && typeof node.type === 'string'
    ? node.type.toLowerCase()
    : '';
}
