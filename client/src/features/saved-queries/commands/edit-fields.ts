/** Rename, Change Model and Edit Description: each edits one field, based on the version that the user saw. */
import * as vscode from 'vscode';
import { ConflictError, UserAbort } from '#api/client/errors.ts';
import { limits } from '#api/contract/limits.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import type { Session } from '#client/session/session.ts';
import { answerTo } from '#client/ui/answer-to.ts';
import { setStatusBarMessage } from '#client/ui/shown/notifications.ts';
import { createInputBox } from '#client/ui/shown/prompts.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { editRecord, fieldsOf, type FieldConflict } from '#core/saved-queries/edit-record.ts';
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import type { Draft } from '#core/saved-queries/merge-drafts.ts';
import { nameProblem, takenMessage } from '#core/saved-queries/query-name.ts';
import type { QueryTabs } from '../following/query-tabs.ts';
import type { Connected } from '../records/connected.ts';
import type { QueryNews } from '../records/query-news.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import { savedQueryUri } from '../records/saved-query-uri.ts';

/**
 * @param query the newest version.
 * @param change.wanted the new name, if given; asks only if it is invalid or missing.
 * @param change.keepsFocus whether the focus stays where it is once the name is written.
 */
export async function renameQuery(
  {
    store,
    tabs,
    news,
  }: { readonly store: SavedQueriesStore; readonly tabs: QueryTabs; readonly news: QueryNews },
  connected: Connected,
  query: SavedQuery,
  { wanted, keepsFocus }: { readonly wanted?: string | undefined; readonly keepsFocus: boolean },
): Promise<void> {
  const isOther = (name: string) => nameKeyOf(name) !== nameKeyOf(query.name);
  const isTaken = (name: string) => isOther(name) && store.hasName(name);
  const validate = (name: string) => nameProblem(name, isTaken);
  let value = wanted ?? query.name;
  let problem = validate(value);
  let isGiven = wanted !== undefined && problem === undefined;
  for (;;) {
    const given = isGiven
      ? value
      : await askText({
          title: vscode.l10n.t('Rename "{0}"', query.name),
          prompt: vscode.l10n.t('Name; a part before a slash groups queries, as in "Access reviews/Orphans"'),
          value,
          problem,
          selectFrom: value.lastIndexOf('/') + 1,
          validate,
        });
    isGiven = false;
    if (given === undefined || given.trim() === query.name) return;
    value = given;
    const name = given.trim();
    try {
      const saved = await writeOnly(connected, query, { name });
      // Before the news, which moves the tabs, too, but with the focus.
      const followed = tabs.follow(savedQueryUri(connected.connection, saved), { newest: saved, keepsFocus });
      news.noteWritten(connected.connection, saved);
      await followed;
      said(vscode.l10n.t('Renamed to "{0}", version {1}.', saved.name, saved.version));
      return;
    } catch (error) {
      if (!(error instanceof ConflictError && error.isNameConflict)) throw error;
      problem = takenMessage(name);
    }
  }
}

export async function changeModel(
  { session, news }: { readonly session: Session; readonly news: QueryNews },
  connected: Connected,
  query: SavedQuery,
  wanted?: string,
): Promise<void> {
  const model = wanted ?? (await pickModel(session, query));
  if (model === undefined || model === query.model) return;
  const saved = await write(news, connected, query, { model });
  said(vscode.l10n.t('"{0}" now uses {1}, version {2}.', saved.name, saved.model, saved.version));
}

export async function editDescription(
  news: QueryNews,
  connected: Connected,
  query: SavedQuery,
  wanted?: string,
): Promise<void> {
  const before = fieldsOf(query).description;
  const validate = (value: string) => {
    const { length } = value;
    return length > limits.descriptionMax
      ? vscode.l10n.t('{0} characters at most; this has {1}.', limits.descriptionMax, length)
      : undefined;
  };
  const given =
    wanted !== undefined && validate(wanted) === undefined
      ? wanted
      : await askText({
          title: vscode.l10n.t('Description of "{0}"', query.name),
          prompt: vscode.l10n.t('Its purpose and its audience. {0} stands for a line break.', lineBreak),
          value: (wanted ?? before).replaceAll(/\r?\n/g, lineBreak),
          problem: wanted === undefined ? undefined : validate(wanted),
          validate,
        });
  if (given === undefined) return;
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  const description = given.replaceAll(lineBreak, eol).trim();
  if (description === before) return;
  const saved = await write(news, connected, query, { description });
  said(vscode.l10n.t('The description of "{0}" is saved, version {1}.', saved.name, saved.version));
}

/** Represents a line break in a single-line input box. */
const lineBreak = '\u21b5';

async function write(
  news: QueryNews,
  connected: Connected,
  query: SavedQuery,
  change: Partial<Draft>,
): Promise<SavedQuery> {
  const saved = await writeOnly(connected, query, change);
  news.noteWritten(connected.connection, saved);
  return saved;
}

async function writeOnly(
  { client }: Connected,
  query: SavedQuery,
  change: Partial<Draft>,
): Promise<SavedQuery> {
  return await editRecord(client, query, change, (conflict) => askAboutConflict(conflict, change));
}

/** Called when a colleague has changed the same field: shows both values and asks which to keep. */
async function askAboutConflict({ theirs, fields }: FieldConflict, change: Partial<Draft>): Promise<boolean> {
  const [field = 'name'] = fields;
  const keepTheirs = {
    label: vscode.l10n.t('Keep Theirs'),
    iconPath: new vscode.ThemeIcon('cloud'),
    detail: oneLine(fieldsOf(theirs)[field]),
  };
  const saveMine = {
    label: vscode.l10n.t('Save Mine'),
    iconPath: new vscode.ThemeIcon('save'),
    detail: oneLine(change[field] ?? ''),
  };
  const author = theirs.last_modified_by?.id;
  const chosen = await showQuickPick([keepTheirs, saveMine], {
    title:
      author === undefined
        ? vscode.l10n.t('"{0}": version {1} changed the same field', theirs.name, theirs.version)
        : vscode.l10n.t(
            '"{0}": {1} changed the same field in version {2}',
            theirs.name,
            author,
            theirs.version,
          ),
    placeHolder: vscode.l10n.t('Nothing is saved yet.'),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) throw new UserAbort('the conflict was left');
  return chosen === saveMine;
}

function oneLine(text: string): string {
  return text === '' ? vscode.l10n.t('(empty)') : text.replaceAll(/\s+/g, ' ');
}

async function pickModel({ state }: Session, query: SavedQuery): Promise<string | undefined> {
  const models = state.kind === 'connected' ? state.models : [];
  const chosen = await showQuickPick(
    models.map((model) => ({
      label: model.name,
      ...(model.name === query.model ? { description: vscode.l10n.t('now') } : {}),
      detail: model.description,
    })),
    {
      title: vscode.l10n.t('Model of "{0}"', query.name),
      placeHolder: vscode.l10n.t('Model of the query'),
      ignoreFocusOut: true,
    },
  );
  return chosen?.label;
}

/** Prompts for one field, validating as the user types. Returns undefined if the user cancels. */
async function askText(question: {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  /** A problem with `value` that the caller found; shown until the value changes. */
  readonly problem?: string | undefined;
  readonly selectFrom?: number;
  readonly validate: (value: string) => string | undefined;
}): Promise<string | undefined> {
  const input = createInputBox();
  const check = (value: string) =>
    value === question.value && question.problem !== undefined ? question.problem : question.validate(value);
  return await answerTo<string>(input, (resolve) => {
    input.title = question.title;
    input.prompt = question.prompt;
    input.value = question.value;
    input.valueSelection = [question.selectFrom ?? 0, question.value.length];
    input.validationMessage = question.problem;
    input.ignoreFocusOut = true;
    input.onDidChangeValue((value) => (input.validationMessage = check(value)));
    input.onDidAccept(() => {
      input.validationMessage = check(input.value);
      if (input.validationMessage === undefined) resolve(input.value);
    });
  });
}

function said(message: string): void {
  setStatusBarMessage(message, 5_000);
}
