/** A statement to run and its permission, both fixed when the run is requested. */
import * as vscode from 'vscode';
import type { ResultState } from '#client/features/results/index.ts';
import type { Session } from '#client/session/session.ts';
import { connectionOfRows } from '#client/ui/connection-labels.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import type { HomeOfQuery } from '#client/ui/home-of-query.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { controlTitleOf } from '#core/controls/control-title.ts';
import type { RunFailure } from '#core/failures/run-failure.ts';
import type { MemoryKey } from '#core/parameters/memory.ts';
import { changingWord } from '#core/policy/changing-word.ts';
import { areUnknownColumns, type AskReason, type Permission } from '#core/policy/may-run.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import type { CalledPart, StatementInfo } from '#server/protocol.ts';

/** Scheme of recorded runs, which are documents too. */
export const historyScheme = 'identity-query-run';

export interface RunDescription {
  readonly title: string;
  readonly savedQuery?: { readonly id: string; readonly name: string; readonly version: number } | undefined;
}

/** A statement to run. Later edits do not affect it, but its connection is determined only when it is sent. */
export interface Prepared {
  readonly document: vscode.TextDocument;
  /** The document version that the statement's range refers to. */
  readonly documentVersion: number;
  readonly statement: StatementInfo;
  /** The text that may declare the statement's parameters. */
  readonly declarationsText: string;
  readonly header: RunHeader;
  readonly model: string;
  readonly savedQuery: RunDescription['savedQuery'];
}

export interface PrepareDependencies {
  readonly session: Session;
  readonly modelOf: (document: vscode.TextDocument) => string;
  readonly describe: (document: vscode.TextDocument) => RunDescription;
  /** Returns the connection that a document's saved query belongs to; undefined for other documents. */
  readonly homeOf: (document: vscode.TextDocument) => HomeOfQuery | undefined;
}

export function prepareRun(
  deps: PrepareDependencies,
  found: {
    readonly document: vscode.TextDocument;
    readonly statement: StatementInfo;
    /** Whether the statement is only part of the document. */
    readonly isPart: boolean;
    readonly part?: string | undefined;
  },
): Prepared {
  const { document, statement } = found;
  const description = deps.describe(document);
  const model = deps.modelOf(document);
  const { start, end } = statement.range;
  return {
    document,
    documentVersion: document.version,
    statement,
    declarationsText: document.getText(),
    model,
    savedQuery: description.savedQuery,
    header: {
      ...headerOf(description, document),
      parameters: [],
      model,
      ...connectionFacts(deps.session),
      ...(found.part === undefined ? {} : { part: found.part }),
      ...(found.isPart ? { lines: { first: start.line + 1, last: end.line + 1 } } : {}),
    },
  };
}

export function headerOf(
  { title, savedQuery }: RunDescription,
  document: vscode.TextDocument,
): Omit<RunHeader, 'parameters'> {
  return savedQuery === undefined
    ? { title: controlTitleOf(document.getText()) ?? title }
    : { title: savedQuery.name, version: savedQuery.version, isModified: hasEdits(document) };
}

function connectionFacts({ state }: Session): Partial<ReturnType<typeof connectionOfRows>> {
  return state.kind === 'connected' ? connectionOfRows(state.profile) : {};
}

/** Returns the key under which a query's parameter values are remembered. */
export function memoryKeyOf(
  { session, describe }: Pick<PrepareDependencies, 'session' | 'describe'>,
  document: vscode.TextDocument,
): MemoryKey {
  const { state } = session;
  const savedQuery = describe(document).savedQuery;
  return {
    connection: state.kind === 'connected' ? connectionKeyOf(state.profile) : undefined,
    query: savedQuery?.id ?? document.uri.toString(),
    // Draft names are reused, and a recorded run already has its values.
    isVolatile: document.isUntitled || (savedQuery === undefined && document.uri.scheme === historyScheme),
  };
}

/** Returns the panel's state for a query that belongs to another connection. */
export function elsewhereState(
  home: HomeOfQuery,
  current: string,
): Extract<ResultState, { kind: 'question' }> {
  const { connection, connect } = home;
  const message = vscode.l10n.t(
    'It belongs to {0}. You are connected to {1}, where its rows can be different or missing.',
    connection,
    current,
  );
  return {
    kind: 'question',
    reason: 'elsewhere',
    failure: { message, reasons: [], ...(connect === undefined ? {} : { nextStep: connect }) },
  };
}

/** Returns the panel's state for a query that was held. */
export function heldState(
  statement: StatementInfo,
  permission: Exclude<Permission, { kind: 'go' }>,
): Extract<ResultState, { kind: 'refused' | 'question' }> {
  const [finding] = statement.errors;
  const position = finding?.range.start;
  const failureOf = (message: string): RunFailure => ({
    message: textOf(finding?.message) ?? message,
    code: typeof finding?.code === 'string' ? finding.code : undefined,
    reasons: [],
    place: position === undefined ? undefined : { line: position.line + 1, column: position.character + 1 },
  });
  if (permission.kind === 'refuse') {
    const message = vscode.l10n.t('This statement may change data. Only statements that read are sent.');
    return { kind: 'refused', failure: failureOf(message), changes: changingWord(statement) };
  }
  const { parts } = permission;
  const reason =
    permission.reason === 'unknown-function' && areUnknownColumns(parts)
      ? 'unknown-column'
      : permission.reason;
  return {
    kind: 'question',
    reason,
    failure: {
      ...failureOf(wordsOf(reason)),
      reasons: parts.slice(0, partsMax).map((part) => ({ code: part.name, message: effectOf(part) })),
    },
  };
}

function effectOf({ does, instead, isColumn }: CalledPart): string {
  if (does !== undefined) return does;
  if (isColumn) return vscode.l10n.t('is no column of its table');
  return instead === undefined
    ? vscode.l10n.t('belongs neither to PostgreSQL nor to a known extension')
    : vscode.l10n.t('does not exist in PostgreSQL. Write {0}.', instead);
}

/** Maximum number of functions to list. A query can call thousands; these are enough to decide. */
const partsMax = 10;

function wordsOf(reason: AskReason | 'unknown-column'): string {
  return {
    'syntax-error': vscode.l10n.t('PostgreSQL cannot parse this statement.'),
    unverified: vscode.l10n.t('The checks could not finish, so this is not proven to be read-only.'),
    'side-effects': vscode.l10n.t('This query calls a function that does more than read.'),
    'unknown-column': vscode.l10n.t(
      'This query names a column that its table lacks. PostgreSQL would call a function of that name, which is unknown too, so the query is not proven to be read-only.',
    ),
    'unknown-function': vscode.l10n.t(
      'This query calls an unknown function, so it is not proven to be read-only.',
    ),
  }[reason];
}

/** Returns a finding's message. LSP allows markup in messages; the markup's source text is readable. */
function textOf(message: string | { readonly value: string } | undefined): string | undefined {
  return typeof message === 'object' ? message.value : message;
}

export function rangeOf({ range }: Pick<StatementInfo, 'range'>): vscode.Range {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}
