/**
 * Runs a query on several connections into one result. Only a query that is proven read-only is sent, since each
 * connection would ask its own question otherwise. The choice is remembered for the query.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { limits } from '#api/contract/limits.ts';
import { connectionIcon, placeOf } from '#client/ui/connection-labels.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { heldBack } from '#core/connections/folder-entry.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { parameterDeclarations } from '#core/parameters/declarations.ts';
import { parameterFields, readForm } from '#core/parameters/form.ts';
import type { RememberedValue } from '#core/parameters/memory.ts';
import { problemWords } from '#core/parameters/problem-messages.ts';
import { mayRun } from '#core/policy/may-run.ts';
import { permit, sendQuery } from '#core/policy/send-query.ts';
import { explainFailure } from '#core/runs/explain-failure.ts';
import { QueryRun } from '#core/runs/query-run.ts';
import { buildRequest } from '#core/runs/run-request.ts';
import { outcomeWords, shapeNotes } from '#core/runs/several/several-messages.ts';
import { isPending, SeveralRuns, type PartReading } from '#core/runs/several/several-runs.ts';
import type { RowsSource } from '../results/index.ts';
import type { RunsDependencies } from './dependencies.ts';
import { findStatement } from './find-statement.ts';
import { readRunSettings } from './run-settings.ts';
import type { RunTarget } from './run-target.ts';
import { memoryKeyOf } from './sending/prepared-run.ts';
import { shownParameter } from './sending/sent-run.ts';

/** How many connections are asked at a time. */
const atATime = 4;
const choiceKey = 'identityQueries.severalConnections';
/** As many queries as choices are remembered for. */
const choicesMax = 200;

/** The choices for drafts, whose names are reused. */
const choicesOfDrafts = new WeakMap<vscode.TextDocument, readonly string[]>();

/** @throws ExpectedError if nothing can be sent. */
export async function runOnSeveral(
  deps: RunsDependencies,
  { document, selection }: RunTarget,
  valuesOf: (name: string) => readonly RememberedValue[],
): Promise<void> {
  const found = await findStatement(deps, document, selection);
  if (found.kind === 'none') throw new ExpectedError(found.failure.message);
  const { statement } = found;
  const permission = mayRun(statement, {
    isProofRequired: true,
    isKnownToRun: false,
    isAccepted: () => false,
  });
  if (permission.kind !== 'go')
    throw new ExpectedError(
      vscode.l10n.t('Only a query that is proven read-only runs on several connections.'),
    );
  const fields = parameterFields(statement, {
    declarations: parameterDeclarations(document.getText()),
    recent: valuesOf,
  });
  // What only a form would show before it is sent, such as the first choice of a boolean, is no value here.
  const known = fields.map((field) =>
    field.defaultText === undefined && valuesOf(field.name).length === 0 ? { ...field, text: '' } : field,
  );
  const outcome = readForm(known, [], { now: new Date(), words: problemWords });
  const unclear = outcome.fields.find(
    ({ problem, defaultProblem }) => problem !== undefined && problem === defaultProblem,
  );
  if (unclear?.problem !== undefined) throw new ExpectedError(unclear.problem);
  if (outcome.kind === 'invalid')
    throw new ExpectedError(
      vscode.l10n.t(
        'Parameters have no value: {0}. Run the query on one connection first, or give them defaults.',
        outcome.fields.flatMap(({ name, problem }) => (problem === undefined ? [] : [name])).join(', '),
      ),
    );
  const chosen = await chooseConnections(deps, document);
  if (chosen === undefined) return;
  const allowed = permit(permission, 'not-asked');
  const model = deps.modelOf(document);
  const connections = chosen.map(({ name }) => name).join(', ');
  const source: RowsSource = {
    key: `several:${document.uri.toString()}`,
    header: {
      title: deps.describe(document).title,
      parameters: outcome.fields.map(shownParameter),
      facts: [{ label: vscode.l10n.t('Connections'), text: connections }],
    },
    pages: (signal, say) =>
      pagesOf({
        signal,
        say,
        connections: chosen,
        openClient: (profile) => deps.openClient(profile),
        run: (client, reading) =>
          new QueryRun({
            ...reading,
            execute: (page, options) => sendQuery(client, allowed, page, options),
            request: {
              ...buildRequest(statement, { ...outcome, sentAs: client.queries.values }).request,
              model,
            },
            pageSize: limits.executePageSizeMax,
          }),
      }),
    goTo: () => void vscode.window.showTextDocument(document),
  };
  const result = await deps.results.open(source);
  // What is missing shows only once every connection was read.
  await deps.results.loadAll(result);
}

interface Reading {
  readonly signal: AbortSignal;
  readonly say: (note: string) => void;
  readonly connections: readonly ConnectionProfile[];
  readonly openClient: (profile: ConnectionProfile) => Promise<ServiceClient>;
  readonly run: (client: ServiceClient, reading: PartReading) => QueryRun;
}

async function* pagesOf({ signal, say, connections, openClient, run }: Reading) {
  const clients: ServiceClient[] = [];
  const several: SeveralRuns = new SeveralRuns(
    connections.map((profile) => ({
      connection: profile.name,
      explain: (error) => explainFailure(error, () => undefined),
      prepare: async (reading) => {
        const client = await openClient(profile);
        clients.push(client);
        return run(client, reading);
      },
    })),
    {
      signal,
      atATime,
      // Each connection has the time that a run on it alone has.
      timeLimitMs: readRunSettings().timeLimitMs,
      rowLimit: Number.MAX_SAFE_INTEGER,
      isFailFast: false,
      onState: () => {
        const left = several.outcomes.filter(isPending);
        if (left.length > 0)
          say(vscode.l10n.t('Reading {0}', left.map(({ connection }) => connection).join(', ')));
      },
    },
  );
  try {
    yield* several.wholePages(() => new ExpectedError(incompleteWords(several)));
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

function incompleteWords(several: SeveralRuns): string {
  const lines = several.outcomes.map(
    (outcome) =>
      `${outcome.connection}: ${outcomeWords(outcome)}${outcome.state.kind === 'failed' ? ` (${outcome.state.failure.message})` : ''}`,
  );
  return vscode.l10n.t('Incomplete. {0}', [...lines, ...shapeNotes(several)].join('; '));
}

/** Asks for the connections, with those of the last time ticked. Undefined if the user cancels. */
async function chooseConnections(
  deps: RunsDependencies,
  document: vscode.TextDocument,
): Promise<readonly ConnectionProfile[] | undefined> {
  const connections = deps.connections().filter((profile) => heldBack(profile) === undefined);
  if (connections.length < 2)
    throw new ExpectedError(vscode.l10n.t('This needs at least two connections. Add another one first.'));
  const { query, isVolatile } = memoryKeyOf(deps, document);
  const state = deps.context.workspaceState;
  const choices = choicesIn(state.get<unknown>(choiceKey));
  const kept = isVolatile ? choicesOfDrafts.get(document) : choices.find(([key]) => key === query)?.[1];
  const before = kept ?? [];
  const chosen = await showQuickPick(
    connections.map((profile) => ({
      label: profile.name,
      description: [placeOf(profile), profile.protected ? vscode.l10n.t('protected') : '']
        .filter((text) => text !== '')
        .join(' · '),
      iconPath: connectionIcon(profile),
      picked: before.includes(profile.name),
      profile,
    })),
    {
      title: vscode.l10n.t('Run on Several Connections'),
      placeHolder: vscode.l10n.t('Rows of each, in this order, with the connection as the first column'),
      canPickMany: true,
    },
  );
  if (chosen === undefined || chosen.length === 0) return undefined;
  const profiles = chosen.map(({ profile }) => profile);
  const names = profiles.map(({ name }) => name);
  const others = choices.filter(([key]) => key !== query).slice(1 - choicesMax);
  if (isVolatile) choicesOfDrafts.set(document, names);
  else await state.update(choiceKey, [...others, [query, names]]);
  return profiles;
}

function choicesIn(stored: unknown): readonly (readonly [string, readonly string[]])[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: unknown) => {
    if (!Array.isArray(entry)) return [];
    const parts: readonly unknown[] = entry;
    const [key, names] = parts;
    return typeof key === 'string' && Array.isArray(names)
      ? [[key, names.filter((name) => typeof name === 'string')] as const]
      : [];
  });
}
