// oxlint-disable-next-line typescript/triple-slash-reference -- ambient: the package has no types to import
/// <reference path="./libpg-query.d.ts" />
/**
 * An instance of PostgreSQL's parser in WebAssembly. If it throws, its memory is no longer reliable, and the owner must
 * create a new instance (about 15 ms).
 */
import { isAscii } from 'node:buffer';
import { readFile } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import createModule, { type PgQueryModule } from 'libpg-query/wasm/libpg-query.js';
import { t } from '#base/texts.ts';
import { inspect } from '../language/checks/inspections/inspect.ts';
import type { Meaning, ParseOutcome, WritingPart } from '../language/checks/parser.ts';
import { readTreeFacts, type WritingNode } from '../language/checks/read-only/tree-facts.ts';
import { byteMapper, offsetOfByte, offsetOfCodePoint } from '../language/text/offsets.ts';
import { readQuery } from '../language/tree/read-query.ts';
import { typeStatement, type StatementTypes, type TypeContext } from '../language/types/type-statement.ts';
import { loadTypeCatalogue } from './type-catalogue.ts';
import { webAssembly, type CompiledModule } from './web-assembly.ts';

export interface ParserInstance {
  /**
   * Parses a statement.
   * @throws if the parser breaks (stack or memory) and the instance must be discarded
   */
  parse(sql: string): ParseOutcome;
  /** Returns only where a statement stops to parse, as a UTF-16 offset; undefined if it parses. May throw as `parse`. */
  errorAt(sql: string): number | undefined;
  /** Returns undefined if the statement does not parse or is not a query. */
  readNames(sql: string): Meaning | undefined;
  /** Returns the whole tree as libpg-query's JSON; undefined if the statement does not parse. */
  readTree(sql: string): string | undefined;
  /** Like `readNames`, but returns the types of expressions. */
  readTypes(sql: string, context: TypeContext): StatementTypes | undefined;
}

/** Compiles the grammar. Instances in several threads can share it, and with it the code of its functions. */
export async function loadGrammar(): Promise<CompiledModule> {
  // Both steps take place in other threads.
  return webAssembly.compile(await promisify(readFile)(grammarFile()));
}

// The .wasm file is next to the bundle, or in its package when run from source.
function grammarFile(): string {
  const isBundle = !import.meta.filename.endsWith('.ts');
  const own = 'libpg-query.wasm';
  return isBundle
    ? path.join(import.meta.dirname, own)
    : createRequire(import.meta.filename).resolve(`libpg-query/wasm/${own}`);
}

/** @param grammar a compiled grammar to share; otherwise, the instance compiles its own */
export async function createParserInstance(grammar?: CompiledModule): Promise<ParserInstance> {
  const compiled = grammar ?? (await loadGrammar());
  const module = await createModule({
    instantiateWasm(imports, done) {
      const instance = new webAssembly.Instance(compiled, imports);
      done(instance);
      return instance.exports;
    },
  });
  // Cached, since a statement's calls, names and types are requested one after the other.
  const trees = new Map<string, ReadTree>();
  const keep = (sql: string, read: ReadTree): void => {
    trees.delete(sql);
    if ([...trees.keys()].reduce((size, text) => size + text.length, sql.length) > keptSizeMax) trees.clear();
    trees.set(sql, read);
  };
  const treeOf = (sql: string): ReadTree | undefined => {
    const read = trees.get(sql) ?? readStatement(module, sql);
    if (read !== undefined) keep(sql, read);
    return read;
  };
  return {
    parse(sql) {
      // A large tree is cached for a check that this new text has replaced.
      if (sql.length > keptSizeMax && !trees.has(sql)) trees.clear();
      return parse(module, sql, (tree) => keep(sql, toRead(sql, tree)));
    },
    errorAt: (sql) =>
      withResult(module, sql, (_, error) => (error === 0 ? undefined : readPosition(module, sql, error))),
    readNames: (sql) => readNames(treeOf(sql)),
    readTree: (sql) => readJson(module, sql),
    readTypes: (sql, context) => {
      const types = readTypes(treeOf(sql), context);
      trees.delete(sql);
      return types;
    },
  };
}

/**
 * Maximum total length of the statements with cached trees, in characters. The trees take many times as much memory.
 */
const keptSizeMax = 16_384;

/** A statement's tree, cached for the next request. */
interface ReadTree {
  readonly sql: string;
  readonly tree: unknown;
  readonly offsetOf: (byte: number) => number;
}

/** Offsets of fields, in words, in the C structs PgQueryParseResult and PgQueryError. */
const treeField = 0;
const errorField = 2;
const messageField = 0;
const cursorField = 4;

/** @param keep gets the tree of a query, if it was built */
function parse(module: PgQueryModule, sql: string, keep: (tree: unknown) => void): ParseOutcome {
  // The parser takes a C string: a NUL would end it and leave the rest unchecked.
  const nul = sql.indexOf('\0');
  if (nul >= 0) {
    const message = t('A query cannot contain the character U+0000.');
    return { kind: 'syntax-error', message, offset: nul };
  }
  return withResult(module, sql, (tree, error) =>
    error === 0 ? readTree(sql, bytesAt(module, tree), keep) : readError(module, sql, error),
  );
}

function readStatement(module: PgQueryModule, sql: string): ReadTree | undefined {
  const json = readJson(module, sql);
  return json === undefined ? undefined : toRead(sql, JSON.parse(json));
}

const toRead = (sql: string, tree: unknown): ReadTree => ({ sql, tree, offsetOf: byteMapper(sql) });

function readNames(read: ReadTree | undefined): Meaning | undefined {
  const query = read && readQuery(read.tree, read.offsetOf);
  return query === undefined || read === undefined
    ? undefined
    : { query, inspection: inspect(read.tree, read.offsetOf) };
}

function readTypes(read: ReadTree | undefined, context: TypeContext): StatementTypes | undefined {
  return read && typeStatement(read.tree, loadTypeCatalogue(), context, read.offsetOf);
}

function readJson(module: PgQueryModule, sql: string): string | undefined {
  return sql.includes('\0')
    ? undefined
    : withResult(module, sql, (tree, error) => (error === 0 ? readUtf8(module, tree) : undefined));
}

/** Calls `use` with pointers to the tree's text and to the error, one of which is 0. */
function withResult<T>(module: PgQueryModule, sql: string, use: (tree: number, error: number) => T): T {
  const query = writeString(module, sql);
  const result = module._wasm_parse_query_raw(query);
  const outcome = use(wordAt(module, result, treeField), wordAt(module, result, errorField));
  // Not in a `finally` block: after an exception, the whole instance is discarded with its memory.
  module._wasm_free_parse_result(result);
  module._free(query);
  return outcome;
}

/**
 * Reads one character per byte, which is enough to find keys and numbers and much cheaper than decoding UTF-8. The tree
 * is kept only if that makes no difference.
 */
function readTree(sql: string, bytes: Buffer, keep: (tree: unknown) => void): ParseOutcome {
  const json = decodeLatin1(bytes);
  let tree: unknown;
  const { statementCount, node, writingNodes, calls } = readTreeFacts(
    json,
    loadTypeCatalogue,
    () => (tree = JSON.parse(json)),
  );
  const isQuery = statementCount === 1 && node === 'SelectStmt' && writingNodes.length === 0;
  if (tree !== undefined && isQuery && isAscii(bytes)) keep(tree);
  const writingParts = writingNodes.map((part) => toPart(sql, part));
  // V8 keeps the whole tree's text for a name of 13 characters or more that was cut out of it.
  return structuredClone({ kind: 'parsed', statementCount, node, writingParts, calls });
}

function toPart(sql: string, { kind, node, anchorByte }: WritingNode): WritingPart {
  return anchorByte === undefined ? { kind, node } : { kind, node, anchor: offsetOfByte(sql, anchorByte) };
}

function readError(module: PgQueryModule, sql: string, error: number): ParseOutcome {
  const message = readUtf8(module, wordAt(module, error, messageField));
  return { kind: 'syntax-error', message, offset: readPosition(module, sql, error) };
}

function readPosition(module: PgQueryModule, sql: string, error: number): number | undefined {
  // 1-based, or 0 if PostgreSQL reports no position.
  const cursor = wordAt(module, error, cursorField);
  return cursor === 0 ? undefined : offsetOfCodePoint(sql, cursor - 1);
}

function writeString(module: PgQueryModule, text: string): number {
  const bytes = Buffer.byteLength(text, 'utf8');
  const pointer = module._malloc(bytes + 1);
  if (pointer === 0) throw new Error('The parser has no memory left.');
  const { buffer } = module.HEAPU8;
  Buffer.from(buffer, pointer, bytes).write(text, 'utf8');
  module.HEAPU8[pointer + bytes] = 0;
  return pointer;
}

function wordAt(module: PgQueryModule, pointer: number, field: number): number {
  return module.HEAPU32[(pointer >> 2) + field] ?? 0;
}

function readUtf8(module: PgQueryModule, pointer: number): string {
  const bytes = bytesAt(module, pointer);
  return isAscii(bytes) ? decodeLatin1(bytes) : bytes.toString('utf8');
}

/**
 * Maximum length of a string that Node.js creates inside V8's heap. It stores longer ones outside, where each tree of
 * 100 KB of SQL waited for a full collection: about 50 MB (measured 2026-11-25).
 */
const heapStringMax = 1_000_000;

function decodeLatin1(bytes: Buffer): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += heapStringMax)
    text += bytes.toString('latin1', start, start + heapStringMax);
  return text;
}

function bytesAt(module: PgQueryModule, pointer: number): Buffer {
  const { HEAPU8 } = module;
  return Buffer.from(HEAPU8.buffer, pointer, HEAPU8.indexOf(0, pointer) - pointer);
}
