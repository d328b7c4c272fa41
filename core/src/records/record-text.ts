/**
 * Formats a record as readable text: one field per line with its description, and nested values indented. Links are
 * returned separately.
 */
import { ExactNumber, jsonText } from '#api/client/json.ts';
import type { BackReference, FoundRecord } from './find-record.ts';
import type { RecordField } from './record-fields.ts';

export interface TextLink {
  /** 0-based line number. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly target:
    | { readonly kind: 'record'; readonly globalId: string }
    | { readonly kind: 'referring'; readonly reference: BackReference };
}

export interface RecordText {
  readonly text: string;
  readonly links: readonly TextLink[];
  /** Descriptions by the 0-based line on which their field starts. */
  readonly descriptions: ReadonlyMap<number, string>;
}

export interface RecordWords {
  readonly heading: string;
  /** Explains that the record was read with a query rather than a service operation. */
  readonly readBySql: string;
  readonly emptyFields: (names: string) => string;
  readonly referredBy: string;
  /** For example, "Access Assignments by globalEntityId". */
  readonly reference: (reference: BackReference) => string;
  readonly noReferences: string;
  /** The reason that references are unknown; undefined if they are known. */
  readonly referencesProblem: string | undefined;
}

/** Column at which descriptions start, unless the value is longer. */
const commentColumn = 56;
/** Values nested more deeply are written on one line. */
const levelsMax = 50;

export function recordText(
  found: FoundRecord,
  fields: readonly RecordField[],
  references: readonly BackReference[],
  words: RecordWords,
): RecordText {
  const lines = [`# ${words.heading}`, ...(found.isReadBySql === true ? [`# ${words.readBySql}`] : []), ''];
  const links: TextLink[] = [];
  const descriptions = new Map<number, string>();
  const known = new Set(fields.map(({ name }) => name));
  const missing: string[] = [];
  const others = Object.keys(found.record)
    .filter((name) => !known.has(name))
    .map((name): RecordField => ({ name, type: 'jsonb', description: '', isReference: false }));
  for (const field of [...fields, ...others]) {
    const value = found.record[field.name];
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) {
      missing.push(field.name);
      continue;
    }
    const first = lines.length;
    const start = `${field.name}: `;
    const block = valueLines(value, { indent: '  ', level: 1 });
    if (block.length === 1)
      lines.push(withComment(`${start}${block[0]?.trimStart() ?? ''}`, field.description));
    else for (const line of [withComment(start.trimEnd(), field.description), ...block]) lines.push(line);
    if (field.description !== '') descriptions.set(first, field.description);
    if (field.isReference) for (const link of idLinks(lines, first, value)) links.push(link);
  }
  if (missing.length > 0) lines.push('', `# ${words.emptyFields(missing.join(', '))}`);
  lines.push('', `# ${words.referredBy}`);
  if (words.referencesProblem !== undefined) lines.push(`#   ${words.referencesProblem}`);
  else if (references.length === 0) lines.push(`#   ${words.noReferences}`);
  const width = references.reduce((most, { count }) => Math.max(most, String(count).length), 0);
  for (const reference of references) {
    const before = `#   ${String(reference.count).padStart(width)}  `;
    const text = words.reference(reference);
    links.push({
      line: lines.length,
      start: before.length,
      end: before.length + text.length,
      target: { kind: 'referring', reference },
    });
    lines.push(before + text);
  }
  lines.push('');
  return { text: lines.join('\n'), links, descriptions };
}

function withComment(line: string, description: string): string {
  return description === '' ? line : `${line.padEnd(commentColumn)}  # ${description}`;
}

interface Place {
  readonly indent: string;
  readonly level: number;
}

/** Returns one line for a scalar or a short list, otherwise one indented line per member. */
function valueLines(value: unknown, { indent, level }: Place): string[] {
  if (!isStructure(value)) return [indent + scalar(value)];
  if (level > levelsMax) return [indent + jsonText(value)];
  const inner: Place = { indent: `${indent}  `, level: level + 1 };
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (items.every((item) => !isStructure(item))) return [`${indent}[${items.map(scalar).join(', ')}]`];
    return items.flatMap((item) => {
      const [head = '', ...rest] = valueLines(item, inner);
      return [`${indent}- ${head.trimStart()}`, ...rest];
    });
  }
  const members = Object.entries(value);
  if (members.length === 0) return [`${indent}{}`];
  return members.flatMap(([name, member]) => {
    const block = valueLines(member, inner);
    return isStructure(member) && block.length > 0 && !isShort(member)
      ? [`${indent}${name}:`, ...block]
      : [`${indent}${name}: ${block[0]?.trimStart() ?? ''}`];
  });
}

function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/** Returns whether the value fits on its name's line: a list of scalars or an empty object. */
function isShort(value: object): boolean {
  return Array.isArray(value) ? value.every((item) => !isStructure(item)) : Object.keys(value).length === 0;
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return /^[\p{L}\p{N}_][\p{L}\p{N} _.@/+:(),'-]*$/u.test(value) &&
    !/^(?:true|false|null|[-\d.]+)$|: | #|\s$/.test(value)
    ? value
    : JSON.stringify(value);
}

function idLinks(lines: readonly string[], first: number, value: unknown): TextLink[] {
  const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string');
  return ids.flatMap((globalId) => {
    for (let line = first; line < lines.length; line += 1) {
      const start = lines[line]?.indexOf(globalId) ?? -1;
      if (start >= 0)
        return [{ line, start, end: start + globalId.length, target: { kind: 'record', globalId } }];
    }
    return [];
  });
}
