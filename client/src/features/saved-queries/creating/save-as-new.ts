/**
 * Save as New: prompts for model, name and description, then creates the query. If the name is taken, the user sees the
 * other query and decides. If the create request gets no response, the query is looked up before anything is sent
 * again.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { SemanticModel } from '#api/contract/models.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError, failureOf } from '#core/failures/failure.ts';
import { type Attempt, type CreateEffect, type CreateState } from '#core/saved-queries/create-machine.ts';
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import type { Draft } from '#core/saved-queries/merge-drafts.ts';
import { runCreate } from '#core/saved-queries/run-create.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import { isOnlyReshaped } from '#core/saved-queries/stored-text.ts';
import { askName } from './ask-name.ts';
import type { ComparedTexts } from './compared-texts.ts';
import { settleName } from './name-conflict.ts';
import { saveOverHolder } from './save-over-holder.ts';

export interface SaveAsNewRequest {
  readonly client: ServiceClient;
  readonly text: string;
  readonly model: string;
  readonly models: readonly SemanticModel[];
  readonly suggestedName: string;
  readonly connection: string;
  /** Folders of known queries, which the page offers. */
  readonly folders: readonly string[];
  /** Whether the text can be kept as a file instead. */
  readonly offersFile?: boolean;
  readonly suggestedDescription: string;
  /** Returns whether a name is known to be taken; only the service knows for certain. */
  readonly isKnownName: (name: string) => boolean;
  /** Shows a diff with the existing query of that name; if undefined, that query cannot be replaced. */
  readonly compared?: ComparedTexts;
  /** Returns the ID of the query with the given name, if known. */
  readonly idOf?: (name: string) => string | undefined;
  /** Takes what was typed after Enter, before the prompt was gone. */
  readonly late?:
    | { readonly onAccept: () => void; readonly type: (text: string) => Promise<void> }
    | undefined;
  /** Shows the failure next to the prompts, which keep their input. */
  readonly failed: (error: unknown) => void;
  /**
   * Create requests for this draft that got no response. If undefined, they are kept only while the prompts are open.
   */
  readonly attempts?: {
    readonly get: () => readonly Attempt[];
    readonly set: (attempts: readonly Attempt[]) => Promise<void>;
  };
}

/** A saved record, or the one that the user opened instead. */
export interface SavedAsNew {
  readonly record: SavedQuery;
  /** Whether the record holds the text, perhaps in the service's own form. */
  readonly isMadeOf: boolean;
}

/**
 * @returns undefined if the user cancels, `file` if the text should become a file. The text is unchanged in each case.
 */
export async function saveAsNew(asked: SaveAsNewRequest): Promise<SavedAsNew | 'file' | undefined> {
  const request = { ...asked, attempts: asked.attempts ?? attemptsInMemory() };
  const model = await pickModel(request);
  if (model === undefined) return undefined;
  let name = request.suggestedName;
  let description = request.suggestedDescription;
  let taken: string | undefined;
  for (;;) {
    const given = await askName({
      title: vscode.l10n.t('Save as New Query in "{0}"', model),
      connection: request.connection,
      name,
      description,
      folders: request.folders,
      isTaken: request.isKnownName,
      taken,
      offersFile: request.offersFile === true,
      onAccept: request.late?.onAccept,
    });
    if (given === undefined || given === 'file') return given;
    description = given.description;
    const { text } = request;
    const draft = { name: given.name, query_string: text, model, description };
    const [outcome] = await Promise.all([submit(draft, request), typeLate(given.typedLate, request)]);
    if (outcome.kind === 'left') return undefined;
    if (outcome.kind === 'done') return outcome;
    name = outcome.name;
    taken = outcome.isTaken ? name : undefined;
  }
}

async function typeLate(typed: Promise<string>, { late }: SaveAsNewRequest): Promise<void> {
  const text = await typed;
  if (text !== '') await late?.type(text);
}

function attemptsInMemory(): NonNullable<SaveAsNewRequest['attempts']> {
  let attempts: readonly Attempt[] = [];
  return {
    get: () => attempts,
    set: (tried) => {
      attempts = tried;
      return Promise.resolve();
    },
  };
}

type Submitted =
  | ({ readonly kind: 'done' } & SavedAsNew)
  | { readonly kind: 'left' }
  /** The prompts are shown again. */
  | { readonly kind: 'again'; readonly name: string; readonly isTaken: boolean };

/** Creates the query, asking the user about taken names until it succeeds. */
async function submit(first: Draft, request: SaveAsNewRequest): Promise<Submitted> {
  const { client, idOf } = request;
  let draft = first;
  let state: CreateState = { kind: 'open', attempts: request.attempts?.get() ?? [] };
  for (;;) {
    const { effect, names, error, ...next } = await runCreate(state, draft, { client, idOf });
    state = next.state;
    await request.attempts?.set(state.attempts);
    if (effect?.kind === 'done') return made(effect.record, draft);
    if (effect?.kind !== 'ask') {
      request.failed(
        effect?.kind === 'keep'
          ? notCreated(effect.reason, nameOfKept(effect.reason, draft, state), error)
          : error,
      );
      return { kind: 'again', name: draft.name, isTaken: false };
    }
    let { holder } = effect;
    const isTaken = (name: string) =>
      names === undefined
        ? request.isKnownName(name) || nameKeyOf(name) === nameKeyOf(draft.name)
        : names.has(nameKeyOf(name));
    const canReplace = request.compared !== undefined;
    let way = await settleName({ draft, holder, isTaken, canReplace });
    while (way?.kind === 'version' && holder !== undefined) {
      const saved = await saveOver(holder, draft, request);
      if (saved.record !== undefined) {
        await request.attempts?.set([]);
        return made(saved.record, draft);
      }
      // The user declined, or a newer version exists: offer the same options again.
      holder = saved.holder ?? holder;
      way = await settleName({ draft, holder, isTaken, canReplace });
    }
    switch (way?.kind) {
      case undefined:
        return { kind: 'left' };
      case 'open':
        return holder === undefined
          ? { kind: 'left' }
          : {
              kind: 'done',
              record: holder,
              isMadeOf: isSameText(holder.query_string, draft.query_string),
            };
      case 'name':
        draft = { ...draft, name: way.name };
        break;
      case 'ask':
      case 'version':
        return { kind: 'again', name: draft.name, isTaken: true };
      default:
        way satisfies never;
    }
  }
}

function made(record: SavedQuery, draft: Draft): Submitted {
  return { kind: 'done', record, isMadeOf: isOnlyReshaped(draft.query_string, record.query_string) };
}

/** Returns the name to report: that of the first attempt, if it is unknown whether that attempt succeeded. */
function nameOfKept(reason: string, draft: Draft, { attempts }: Pick<CreateState, 'attempts'>): string {
  return (reason === 'unlisted' ? attempts[0]?.name : undefined) ?? draft.name;
}

async function saveOver(
  holder: SavedQuery,
  draft: Draft,
  { client, compared, failed }: SaveAsNewRequest,
): Promise<{ readonly record?: SavedQuery; readonly holder?: SavedQuery }> {
  if (compared === undefined) return {};
  try {
    return await saveOverHolder({ client, draft, holder, compared });
  } catch (error) {
    failed(error);
    return {};
  }
}

function notCreated(
  reason: Extract<CreateEffect, { kind: 'keep' }>['reason'],
  name: string,
  error: unknown,
): Error {
  const failure = error === undefined ? undefined : failureOf(error);
  const said = failure === undefined || failure.kind === 'cancelled' ? '' : failure.message;
  const expected = (message: string) => new ExpectedError(message.trim(), [], { cause: error });
  switch (reason) {
    case 'unknown':
      return expected(
        vscode.l10n.t(
          'It is not known whether "{0}" was created. The next try checks first. {1}',
          name,
          said,
        ),
      );
    case 'unlisted':
      return expected(
        vscode.l10n.t(
          'The service has no list to look in, so it is not known whether "{0}" was created. Try again under this name: if it is taken, the query was created. {1}',
          name,
          said,
        ),
      );
    case 'unanswered':
      return expected(vscode.l10n.t('"{0}" was not created. Try again. {1}', name, said));
    case 'notSent':
    case 'refused':
      return error instanceof Error ? error : expected(vscode.l10n.t('"{0}" was not created.', name));
    default:
      return reason satisfies never;
  }
}

async function pickModel(request: SaveAsNewRequest): Promise<string | undefined> {
  const isCurrent = (model: SemanticModel) => model.name === request.model;
  const isKnown = request.models.some(isCurrent);
  if (request.models.length < 2 || isKnown) return request.model;
  const ordered = [
    ...request.models.filter(isCurrent),
    ...request.models.filter((model) => !isCurrent(model)),
  ];
  const chosen = await showQuickPick(
    ordered.map((model) => ({ label: model.name, detail: model.description })),
    {
      title: vscode.l10n.t('Save as New Query'),
      placeHolder: vscode.l10n.t('Model of the query'),
      ignoreFocusOut: true,
    },
  );
  return chosen?.label;
}
