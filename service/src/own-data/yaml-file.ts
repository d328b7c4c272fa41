/** A person's YAML file (so also JSON): every problem names the file, the line, the column, and what there is. */
import {
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Node,
  type ParsedNode,
  type Scalar,
} from 'yaml';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { OwnDatabaseError } from './database.ts';

export interface Located {
  readonly text: string;
  readonly node: ParsedNode;
}

/** Uses of an alias, times those within it, so that a file cannot grow without end. */
const mostAliases = 1000;

/** Knows where in the file a node is. */
export class YamlFile {
  readonly #name: string;
  readonly #text: string;
  readonly #lines: LineCounter;

  constructor(name: string, text: string, lines: LineCounter) {
    this.#name = name;
    this.#text = text;
    this.#lines = lines;
  }

  problem(node: Node | number | null | undefined, words: string, cause?: unknown): OwnDatabaseError {
    const offset = typeof node === 'number' ? node : (node?.range?.[0] ?? 0);
    const { line, col } = this.#lines.linePos(offset);
    return new OwnDatabaseError(
      `${this.#name}:${Math.max(1, line)}:${Math.max(1, col)}: ${words}`,
      cause === undefined ? undefined : { cause },
    );
  }

  /** Returns where a text's character is: exactly in a block or on one line, otherwise at the start of the text. */
  offsetIn({ node, text }: Located, index: number): number {
    const [start, end] = node.range;
    const source = this.#text.slice(start, end);
    const lineText = text.slice(text.lastIndexOf('\n', index - 1) + 1).split('\n', 1)[0] ?? '';
    const column = index - (text.lastIndexOf('\n', index - 1) + 1);
    const lineNumber = text.slice(0, index).split('\n').length - 1;
    const type = isScalar(node) ? node.type : undefined;
    // A block begins on the line after its indicator; the lines of the others are folded, so only the first is exact.
    const wanted = type === 'BLOCK_LITERAL' ? lineNumber + 1 : 0;
    if (type !== 'BLOCK_LITERAL' && source.includes('\n')) return start;
    const lines = source.split('\n');
    const at = lines[wanted]?.indexOf(lineText) ?? -1;
    if (at < 0) return start;
    return start + lines.slice(0, wanted).reduce((sum, line) => sum + line.length + 1, 0) + at + column;
  }
}

/** @throws OwnDatabaseError */
export function parseYaml(
  name: string,
  text: string,
): { readonly file: YamlFile; readonly contents: ParsedNode | null } {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    logLevel: 'error',
  });
  const file = new YamlFile(name, text, lines);
  const [error] = document.errors;
  if (error !== undefined) throw file.problem(error.pos[0], `this is not YAML: ${error.message}`);
  try {
    document.toJS({ maxAliasCount: mostAliases });
  } catch (cause) {
    const isUnknown = cause instanceof Error && cause.message.startsWith('Unresolved');
    const words = isUnknown ? 'has an alias without its anchor before it' : 'uses too many aliases';
    throw file.problem(0, `the file ${words}.`, cause);
  }
  // From here on, an alias is what it stands for. All are looked up first, since an anchor can be given twice.
  const nodes = new Map<Alias, Node>();
  visit(document, {
    Alias: (_, alias, parents) => {
      const node = alias.resolve(document);
      if (node === undefined || parents.includes(node))
        throw file.problem(alias, 'an alias cannot be within what it stands for.');
      nodes.set(alias, node);
    },
  });
  visit(document, { Alias: (_, alias) => nodes.get(alias) });
  return { file, contents: document.contents };
}

const mostFileBytes = 4_194_304;

/**
 * @param what for example "The mapping"
 * @throws OwnDatabaseError
 */
export async function readYamlText(what: string, file: string): Promise<string> {
  try {
    const bytes = await readBounded(file, { maxBytes: mostFileBytes });
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof FileRefusal)
      throw new OwnDatabaseError(`${what} ${file} cannot be used: ${error.message}.`, { cause: error });
    if (error instanceof TypeError)
      throw new OwnDatabaseError(`${what} ${file} is not UTF-8 text.`, { cause: error });
    throw error;
  }
}

export interface Member {
  readonly key: ParsedNode;
  readonly value: ParsedNode | null;
}

/** Returns the members of a mapping node by key. */
export function membersOf(
  file: YamlFile,
  node: ParsedNode | Node | null | undefined,
  what: string,
  known?: readonly string[],
): ReadonlyMap<string, Member> {
  if (node === undefined || node === null) return new Map();
  if (!isMap<ParsedNode, ParsedNode | null>(node))
    throw file.problem(node, `${what} must be a list of names with values (name: value).`);
  return new Map(
    node.items.map(({ key, value }) => {
      const name = isScalar(key) ? String((key as Scalar).value) : '';
      if (known !== undefined && !known.includes(name))
        throw file.problem(key, `"${name.slice(0, 60)}" is not known here. There are: ${known.join(', ')}.`);
      return [name, { key, value }];
    }),
  );
}

export function textOf(file: YamlFile, node: ParsedNode | null, what: string): Located {
  const text = node !== null && isScalar(node) ? node.value : undefined;
  if (node === null || typeof text !== 'string' || text.trim() === '') {
    const isOther = typeof text === 'number' || typeof text === 'boolean';
    throw file.problem(node, `${what} must be a text${isOther ? ', in quotes' : ''}.`);
  }
  // A server would take it for the end of the text.
  if (text.includes('\0')) throw file.problem(node, `${what} holds a NUL character. Remove it.`);
  return { text, node };
}
