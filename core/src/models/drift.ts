/** Saved queries that no longer fit the current models, and a report of their findings. Pure. */
import type { Diagnostic, Range } from 'vscode-languageserver-types';
import { fenceFor } from '#base/shown-text/for-markdown.ts';

export interface CheckedQuery {
  readonly queryId: string;
  readonly name: string;
  readonly version: number;
  readonly model: string;
  readonly text: string;
  /** The findings that break the query, in text order. */
  readonly findings: readonly Diagnostic[];
}

export interface DriftResult {
  readonly connection: string;
  /** Milliseconds since 1970. */
  readonly checkedAt: number;
  readonly checked: number;
  /** Queries whose text could not be read. */
  readonly unread: number;
  /** Broken queries, sorted by name. */
  readonly broken: readonly CheckedQuery[];
}

const errorSeverity = 1;
const driftCodes = new Set<unknown>(['UNKNOWN_MODEL', 'UNKNOWN_TABLE', 'UNKNOWN_COLUMN']);

/** Selects all errors, plus findings of any severity about names that the models lack. */
export function breaking(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  return findings
    .filter(({ severity, code }) => severity === errorSeverity || driftCodes.has(code))
    .sort(
      (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
    );
}

/** Replaces a query's entry after the query has been checked again. */
export function withQuery(result: DriftResult, query: CheckedQuery): DriftResult {
  const at = result.broken.findIndex((each) => each.queryId === query.queryId);
  const isBroken = query.findings.length > 0;
  if (at === -1 && !isBroken) return result;
  const others = result.broken.filter((each) => each.queryId !== query.queryId);
  const broken = isBroken ? others.toSpliced(at === -1 ? others.length : at, 0, query) : others;
  return { ...result, broken };
}

export interface DriftReport {
  readonly text: string;
  readonly places: readonly {
    readonly query: CheckedQuery;
    readonly finding: Diagnostic;
    readonly range: Range;
  }[];
}

/** The report's text in the user's language. */
export interface ReportWords {
  readonly title: string;
  readonly summary: string;
  readonly query: (query: CheckedQuery) => string;
  readonly finding: (finding: Diagnostic) => string;
}

/**
 * Creates a Markdown report with the full text of every broken query, and the position of each finding in the report.
 */
export function reportOf({ broken }: DriftResult, words: ReportWords): DriftReport {
  const lines = [`# ${words.title}`, '', words.summary, ''];
  const places: { query: CheckedQuery; finding: Diagnostic; range: Range }[] = [];
  for (const query of broken) {
    lines.push(`## ${oneLine(query.name)}`, '', words.query(query), '');
    for (const finding of query.findings) lines.push(`- ${oneLine(words.finding(finding))}`);
    const fence = fenceFor(query.text);
    lines.push('', `${fence}sql`);
    const base = lines.length;
    for (const line of query.text.split(/\r\n|\r|\n/)) lines.push(line);
    lines.push(fence, '');
    for (const finding of query.findings)
      places.push({ query, finding, range: shifted(finding.range, base) });
  }
  return { text: lines.join('\n'), places };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function shifted({ start, end }: Range, lines: number): Range {
  return {
    start: { line: start.line + lines, character: start.character },
    end: { line: end.line + lines, character: end.character },
  };
}
