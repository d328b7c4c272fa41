/**
 * Evidence as a Markdown block for tickets and reports: a readable table, followed by the record for programs. The
 * labels are part of the format and never translated, so that a block can be checked against its record.
 */
import { mentionBreak } from '#base/shown-text/for-markdown.ts';
import { jsonForTerminal } from '#base/shown-text/for-terminal.ts';
import { hasHiddenCharacters } from '#base/shown-text/hidden-characters.ts';
import { plainMarkdown } from '#base/words/markdown.ts';
import { evidenceFormat, type Evidence, type EvidenceParameter } from './evidence.ts';

const fence = '```';
const recordStart = '<details><summary>Record</summary>';

export function evidenceMarkdown(evidence: Evidence): string {
  return `${readablePart(evidence)}\n${recordStart}\n\n${fence}json\n${evidenceJson(evidence)}\n${fence}\n\n</details>\n`;
}

/** Serializes the record in the form used in files and blocks. */
export function evidenceJson(evidence: Evidence): string {
  return jsonForTerminal(JSON.stringify(evidence, undefined, 2));
}

function readablePart(evidence: Evidence): string {
  const { query, connection, rows } = evidence;
  const version = query.version === undefined ? 'not saved' : `version ${query.version}`;
  const edited = query.edited === true ? ', edited and not saved' : '';
  const environment =
    connection.environment === undefined ? '' : ` (${plainMarkdown(connection.environment)})`;
  const facts: (readonly [string, string])[] = [
    ['Query', `${plainMarkdown(query.name)}, ${version}${edited}`],
    ...(query.id === undefined ? [] : [['Query id', code(query.id)] as const]),
    ...(query.connection === undefined ? [] : [['Query of', plainMarkdown(query.connection)] as const]),
    ['SHA-256 of the text', code(query.sha256)],
    ['SHA-256 of the statement', code(evidence.statement.sha256)],
    ['Connection', plainMarkdown(connection.name) + environment],
    ['Model', code(evidence.model)],
    ...evidence.parameters.map(
      (parameter) => [`Parameter ${code(`:${parameter.name}`)}`, parameterWords(parameter)] as const,
    ),
    ['Rows', rowsWords(rows)],
    ['SHA-256 of the rows', code(rows.sha256)],
    ['SHA-256 in any order', code(rows.setSha256)],
    ['Started (UTC)', evidence.startedAt],
    ['Finished (UTC)', evidence.finishedAt],
    ['Made with', `Identity Queries ${plainMarkdown(evidence.extension)}`],
  ];
  return [
    `### Evidence: ${plainMarkdown(query.name)}`,
    '',
    '| | |',
    '| --- | --- |',
    ...facts.map(([label, text]) => `| ${label} | ${text} |`),
    '',
  ].join('\n');
}

function parameterWords(parameter: EvidenceParameter): string {
  if ('secret' in parameter) return 'secret, not recorded';
  const value = code(JSON.stringify(parameter.value));
  return parameter.entered === undefined ? value : `${value}, entered as ${code(parameter.entered)}`;
}

function rowsWords({ count, total, truncated }: Evidence['rows']): string {
  const all = total === undefined ? 'more on the service' : `of ${total}`;
  return truncated ? `${count}, **truncated**: ${all}` : `${count}, complete`;
}

/** Not every string fits in a code span, and even fewer fit in a table cell. */
function code(text: string): string {
  return /[`|]|##/.test(text) || hasHiddenCharacters(text) || text.trim() !== text || text === ''
    ? plainMarkdown(text)
    : `\`${text}\``;
}

export interface FoundEvidence {
  /** The unparsed record, which may be invalid. */
  readonly json: string;
  /** The readable part before the record; undefined if the record stands alone. */
  readonly readable: string | undefined;
}

/** Finds the records in a file, which is either a single record or Markdown with any number of blocks. */
export function findEvidence(text: string): readonly FoundEvidence[] {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed.startsWith('{')) return [{ json: trimmed, readable: undefined }];
  const found: FoundEvidence[] = [];
  let from = 0;
  for (const match of trimmed.matchAll(/^[ \t>]*```json[ \t]*\r?\n([\s\S]*?)^[ \t>]*```/gm)) {
    const json = (match[1] ?? '').replace(/^[ \t]*>[ \t]?/gm, '');
    if (!json.includes(evidenceFormat.replace(/\d+$/, ''))) continue;
    found.push({ json, readable: trimmed.slice(from, match.index) });
    from = match.index + match[0].length;
  }
  return found;
}

/**
 * Returns whether the readable part matches the record, and is what people see: it stands there once, and nothing
 * before it hides it. Ignores whitespace, and the quote markers that replies add.
 */
export function isReadableTrue(evidence: Evidence, readable: string): boolean {
  const heading = /^[ \t]*### Evidence:/m;
  const plain = (text: string) =>
    text
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/[\u2028\u2029]/g, ' ') // end no line of Markdown
      .replace(/^[ \t>]+/gm, (start) => start.replaceAll('>', ''))
      .replaceAll(/(?<![ \t])[ \t]+$/gm, '')
      .replaceAll(mentionBreak, '') // earlier versions did not write it
      .replaceAll(String.raw`\&`, '&') // nor this
      .split(heading);
  const wordsOf = (text = '') => text.replace(/\s+/g, ' ').trim();
  const [before = '', found, ...others] = plain(readable);
  const [, expected] = plain(readablePart(evidence));
  if (found === undefined || others.length > 0 || hidesWhatFollows(before)) return false;
  // Text directly after the table would be a row of it.
  const end = found.lastIndexOf('|') + 1;
  return (
    wordsOf(found.slice(0, end)) === wordsOf(expected) && /^\n*$|^\n(?:\n|<details>)/.test(found.slice(end))
  );
}

/** Fenced code, with the text directly before it, and comments, each with its end, which may be missing. */
const closedParts =
  /(?<![^\n]\n)^((?:(?![^a-z\n]*[<$])[^\n]+\n)*?)(([`~])\3{2,})[^`\n]*(?:\n(?:[^]*?\n)??(?:(\2\3*)|[ \t]+\2\3*)$|[^]*)|(?<![^\n]\n)^<!--(?!-?>)[^]*?(?:(-->)|--!>|$(?![^]))|<!--(?!-?>)[^<>`\n]*(-->)/gm;

/**
 * A comment, an open element or the title of a link's definition would keep what follows from being shown. Where it is
 * unclear what is code, all of it may open elements, and nothing of it closes any.
 */
function hidesWhatFollows(markdown: string): boolean {
  return !/^\s*$|\n\n$/.test(markdown) || leavesOpen(markdown);
}

function leavesOpen(markdown: string): boolean {
  const isOpen = [...markdown.matchAll(closedParts)].some(
    ([part, , mark, , ...ends]) =>
      ends.join('') === '' || (mark !== undefined && leavesOpen(part.replaceAll(/[`~]{3,}/g, ''))),
  );
  if (isOpen) return true;
  const text = markdown.replaceAll(closedParts, (_, before?: string) =>
    before === undefined ? '<>' : `${before}\n\n`,
  );
  const open = new Map<string, number>();
  const watched = new Set<string>();
  const isCode = /`{3}|~{3}/.test(text);
  // Other fences may be text, in which case their end would be a start.
  const others = text.replaceAll(otherFences, (part, start: string, _mark, _character, end: string) => {
    const isIn = (line: string) => (start === '' ? line !== '' : line.slice(0, start.length).trim() === '');
    const isEnd = start === '' ? end === '' : end.length < start.length + 4;
    return isEnd && part.split('\n').slice(1).every(isIn) ? '' : part;
  });
  if (/^[ \t>*+\d.)-]*(?:`{3,}[^`\n]*|~{3}[^\n]*)$/m.test(others)) return true;
  for (const block of text.split('\n\n')) {
    // An element can only be open in a block that is not all text and code.
    if (!/[<`\\$]/.test(block.replaceAll(/(?<!`)(`+)(?!`)[^\n|]*?(?<!`)\1(?!`)/g, ''))) continue;
    const isMarkup = /^[ \t>*+\d.)-]*</m.test(block);
    const lastEnd = block.lastIndexOf('>');
    const unclear = block.search(/[`\\$]|\][(:]|^[ >*+\d.)-]*(?:\t| {4})/m);
    let clearTo = isCode ? 0 : unclear === -1 ? block.length : unclear;
    for (const { index, groups = {} } of block.matchAll(tags)) {
      const { end, name, rest } = groups;
      if (name === undefined || (rest === undefined && isMarkup)) return true;
      if (rest === undefined && index > lastEnd) break;
      if (rest === undefined) clearTo = Math.min(clearTo, index);
      if (end !== '' && index >= clearTo) continue;
      const element = name.toLowerCase();
      if (rest !== '>' || name.includes('-') || mayHide.has(element)) watched.add(element);
      // What closes an element from before the text does not close a later one.
      open.set(element, Math.max(0, (open.get(element) ?? 0) + (end === '' ? 1 : -1)));
    }
  }
  return [...open].some(
    ([element, count]) => count > 0 && watched.has(element) && !/^(?:br|hr|img)$/.test(element),
  );
}

const otherFences = /^([ \t>*+\d.)-]*)(([`~])\3{2,})[^`\n]*\n(?:[^]*?\n)??([ \t]*)\2\3*$/gm;

/** Elements that, even without attributes, may hide, shrink, strike or move what is in them. Others only shape text. */
const mayHide = new Set(
  `applet audio big blockquote body button canvas caption code col colgroup datalist dd del details dialog dir div dl
  embed fieldset figure font form frame frameset h1 h2 h3 h4 h5 h6 head html iframe input label legend li listing map
  marquee math menu menuitem meter model noembed noframes noscript object ol optgroup option output picture plaintext
  portal pre progress rb rp rt rtc ruby s samp script select selectedcontent slot small strike style sub summary sup svg
  table tbody td template textarea tfoot th thead title tr tt ul video xmp`.split(/\s+/),
);

/** Tags, whose attributes may contain others, and other markup, which has no name. */
const tags =
  /<(?:[!?]|(?<end>\/?)(?<name>[a-z][\w-]*)(?=[\s/>]|$)(?<rest>(?:[^<>"']|"[^"]*"|'[^']*'){0,500}>)?)/gi;
