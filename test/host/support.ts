/** Helpers for the tests in the editor: the service, its faults, and waiting for conditions. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import type { StateSnapshot } from '#client/features/connection/index.ts';
import { savedQueryUri } from '#client/features/saved-queries/records/saved-query-uri.ts';
import type { ConnectionSetting } from '#core/connections/parse-connection.ts';
import type { ConnectionFormRequest, ConnectionFormState } from '#panel-protocol/connection-form.ts';
import type { Faults } from '#service/plugins/faults.ts';
import type { LoggedRequest } from '#service/plugins/request-log.ts';

export const connectionName = 'Sandbox under test';

function variable(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is not set`);
  return value;
}

/** Prefixes of the services' environment variables (scripts/lib/sandbox.js): the sandbox, and test/service. */
export const servicePrefixes = { sandbox: 'IDENTITY_QUERIES', second: 'IDENTITY_QUERIES_SECOND' } as const;

/** Creates a separate client for the editor's service, used as a colleague. */
export function connectColleague(prefix: string = servicePrefixes.sandbox): ServiceClient {
  return createClient({
    baseUrl: variable(`${prefix}_BASE_URL`),
    authUrl: variable(`${prefix}_AUTH_URL`),
    clientId: variable(`${prefix}_CLIENT_ID`),
    clientSecret: variable(`${prefix}_CLIENT_SECRET`),
  });
}

/** Returns a connection to the tests' service, without its secret. */
export function connectionSetting(
  name: string,
  more: Partial<ConnectionSetting> = {},
  prefix: string = servicePrefixes.sandbox,
): ConnectionSetting {
  return {
    name,
    baseUrl: variable(`${prefix}_BASE_URL`),
    authUrl: variable(`${prefix}_AUTH_URL`),
    clientId: variable(`${prefix}_CLIENT_ID`),
    ...more,
  };
}

/** Waits until the connection is no longer connecting, and returns its state. */
export async function settledConnection(): Promise<StateSnapshot> {
  let seen: StateSnapshot = { kind: 'connecting' };
  await until('the connection is settled', async () => {
    seen = await vscode.commands.executeCommand<StateSnapshot>(commands.connectionState);
    return seen.kind !== 'connecting';
  });
  return seen;
}

/** Replaces all fault rules. An empty list disables faults. */
export async function setFaults(rules: Faults['rules']): Promise<void> {
  const response = await fetch(`${variable('IDENTITY_QUERIES_BASE_URL')}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rules }),
  });
  assert.equal(response.ok, true);
}

/** The service keeps only its most recent requests, so this map collects all requests seen so far. */
const seenRequests = new Map<string, LoggedRequest>();

/** Returns the requests to a path since the service started, oldest first. */
export async function requestsTo(path: string): Promise<readonly LoggedRequest[]> {
  const response = await fetch(`${variable('IDENTITY_QUERIES_BASE_URL')}/_sandbox/requests`);
  const { requests } = (await response.json()) as { requests: readonly LoggedRequest[] };
  for (const request of requests) seenRequests.set(request.id, request);
  return [...seenRequests.values()].filter((request) => request.path === path);
}

/** Resolves when the extension is active. Repeated calls share one activation. */
export async function activateExtension(): Promise<void> {
  const extension = vscode.extensions.getExtension('identity-queries.identity-queries');
  assert.ok(extension);
  await extension.activate();
}

/** Time limit for conditions on a slow machine. Every wait ends as soon as its condition holds. */
const limitMs = 120_000;

/** The context of a suite with a service. */
interface UsedService {
  readonly colleague: ServiceClient;
  /** Opens a new saved query with this text. */
  readonly edit: (text: string) => Promise<vscode.TextEditor>;
}

/**
 * Sets up a suite with the service: activates the extension and connects a colleague's client. After each test, clears
 * all faults and closes all tabs.
 */
export function useService(): UsedService {
  const colleague = connectColleague();
  suiteSetup(activateExtension);
  suiteTeardown(() => colleague.close());
  teardown(async () => {
    await setFaults([]);
    await closeAllEditors();
  });
  return {
    colleague,
    async edit(text) {
      await open(await createQuery(colleague, text));
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      return editor;
    },
  };
}

/** Sets up a suite about saving, which also clears notifications after each test. */
export function useSaving() {
  const { colleague } = useService();
  teardown(() => vscode.commands.executeCommand('notifications.clearAll'));
  return {
    colleague,
    /** @param change the new text, or the changed fields */
    colleagueSaves: (query: SavedQuery, change: string | Parameters<typeof saveMeanwhile>[2]) =>
      saveMeanwhile(colleague, query, typeof change === 'string' ? { query_string: change } : change),
    /** Returns the version and text of the query on the service. */
    saved: async (query: SavedQuery): Promise<[number, string]> => {
      const { version, query_string } = await colleague.savedQueries.get(query.query_id);
      return [version, query_string];
    },
    save: (document: vscode.TextDocument) =>
      vscode.commands.executeCommand(commands.savedQuerySave, document.uri),
  };
}

/** Opens a record by ID and waits until its editor is active. */
export async function openRecord(globalId: string): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand(commands.recordOpenById, globalId);
  const inFront = () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.languageId === 'identity-record' && document.getText().includes(globalId)
      ? document
      : undefined;
  };
  await until('the record is in front', () => inFront() !== undefined);
  const document = inFront();
  assert.ok(document);
  return document;
}

/** Waits until a condition holds. Yields to the editor between checks. */
export async function until(
  what: string | (() => string),
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new assert.AssertionError({ message: `never: ${typeof what === 'string' ? what : what()}` });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Dialogs and prompts that a host test cannot click. */
type Question =
  | 'showInformationMessage'
  | 'showWarningMessage'
  | 'showErrorMessage'
  | 'showQuickPick'
  | 'showInputBox'
  | 'showSaveDialog';

/** Replaces one of the editor's prompt functions with `answer`. `dispose` restores it. */
export function playQuestion(question: Question, answer: (...args: never[]) => unknown): vscode.Disposable {
  const original = vscode.window[question].bind(vscode.window);
  // The test declares the parameter types that the extension passes.
  const played = (...args: unknown[]) => Promise.resolve(answer(...(args as never[])));
  Object.assign(vscode.window, { [question]: played });
  return new vscode.Disposable(() => Object.assign(vscode.window, { [question]: original }));
}

/** Creates a temporary folder for the work and removes it afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-host-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

let counter = 0;

/** Creates a new saved query, not shared with other tests. */
export async function createQuery(client: ServiceClient, text = 'SELECT 1 AS one'): Promise<SavedQuery> {
  counter += 1;
  return await client.savedQueries.create({
    // A window may run the tests again with the same service, so the counter alone would repeat.
    name: `Host test ${counter} ${crypto.randomUUID()}`,
    query_string: text,
  });
}

/** Saves a colleague's changes over the query's newest version. Omitted fields are left unchanged. */
export async function saveMeanwhile(
  colleague: ServiceClient,
  query: Pick<SavedQuery, 'query_id'>,
  change: { readonly name?: string; readonly query_string?: string; readonly description?: string },
): Promise<SavedQuery> {
  const { name, query_string, version } = await colleague.savedQueries.get(query.query_id);
  return await colleague.savedQueries.update(query.query_id, {
    name,
    query_string,
    ...change,
    expected_version: version,
  });
}

/**
 * Answers all messages from now on with the chosen button. Host tests cannot show modal messages, and other messages
 * would wait for a user. Records their text and details.
 */
export function answerMessages(
  kind: 'showWarningMessage' | 'showInformationMessage' | 'showErrorMessage',
  choose: (buttons: readonly string[], message: string) => string | undefined | Promise<string | undefined>,
): Answers {
  const texts: string[] = [];
  const answer = async (
    message: string,
    ...rest: readonly (string | vscode.MessageOptions | vscode.MessageItem)[]
  ) => {
    const items = rest.filter((each) => typeof each === 'object' && 'title' in each);
    const [options] = rest.filter(
      (each): each is vscode.MessageOptions => typeof each === 'object' && !('title' in each),
    );
    texts.push(options === undefined ? message : [message, options.detail ?? ''].join('\n'));
    // The button that says no comes first.
    const titles = items
      .toSorted((a, b) => Number(b.isCloseAffordance ?? false) - Number(a.isCloseAffordance ?? false))
      .map(({ title }) => title);
    const chosen = await choose([...titles, ...rest.filter((each) => typeof each === 'string')], message);
    return items.find(({ title }) => title === chosen) ?? chosen;
  };
  const played = playQuestion(kind, answer);
  return { texts, dispose: () => void played.dispose() };
}

/** Notes the messages in the status bar. */
export function statusMessages(): Answers {
  const texts: string[] = [];
  const show = vscode.window.setStatusBarMessage.bind(vscode.window);
  Object.assign(vscode.window, {
    setStatusBarMessage: (text: string, ms: number) => {
      texts.push(text);
      return show(text, ms);
    },
  });
  return { texts, dispose: () => void Object.assign(vscode.window, { setStatusBarMessage: show }) };
}

export function uriOf(query: SavedQuery): vscode.Uri {
  return savedQueryUri(connectionName, query);
}

export async function open(query: SavedQuery): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uriOf(query));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/** Opens a new draft with this text in the active editor. */
export async function draft(content: string): Promise<vscode.TextDocument> {
  for (;;) {
    const document = await vscode.workspace.openTextDocument({ language: 'identity-sql', content });
    await vscode.window.showTextDocument(document);
    if (document.getText() === content) return document;
    // The editor returned the previous draft, which was still closing and has the same name.
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}

export async function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Returns the titles of the open diff editors. */
export function diffTitles(): readonly string[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => tab.input instanceof vscode.TabInputTextDiff)
    .map((tab) => tab.label);
}

/** Picks the matching option in each quick pick and accepts each input box, until the work is done. */
export async function pickLabels<T>(label: RegExp, work: () => Thenable<T>): Promise<T> {
  const played = playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) => {
    const option = items.find((item) => label.test(item.label));
    assert.ok(option, `none of ${items.map((item) => item.label).join(', ')} is like ${label.source}`);
    return option;
  });
  try {
    return await answerPrompts('accept', work());
  } finally {
    played.dispose();
  }
}

/** Presses Enter or Escape in any open quick pick or input box until the work is done. */
export async function answerPrompts<T>(key: 'accept' | 'escape', work: Thenable<T>): Promise<T> {
  const answers = {
    accept: 'workbench.action.acceptSelectedQuickOpenItem',
    escape: 'workbench.action.closeQuickOpen',
  };
  let pressed: Thenable<unknown> = Promise.resolve();
  let isFilling = false;
  const showQuickPick = vscode.window.showQuickPick.bind(vscode.window);
  // If Enter comes before the items do, a quick pick with checkboxes returns no items.
  const showThenAnswer = async (...args: Parameters<typeof showQuickPick>) => {
    isFilling = true;
    await pressed;
    const chosen = showQuickPick(...args);
    await Promise.allSettled([args[0]]);
    // Once this is processed, so are the items.
    await vscode.commands.executeCommand('setContext', 'identityQueries.test.hasItems', true);
    isFilling = false;
    return await chosen;
  };
  const played = key === 'accept' ? playQuestion('showQuickPick', showThenAnswer) : undefined;
  let isDone = false;
  const done = Promise.resolve(work).finally(() => (isDone = true));
  try {
    await until('the prompts are answered', async () => {
      if (!isDone && !isFilling) await (pressed = vscode.commands.executeCommand(answers[key]));
      return isDone;
    });
    return await done;
  } finally {
    played?.dispose();
  }
}

/**
 * Sends a request as an open connection form's page does. Returns the resulting state, or undefined if the form closed.
 */
export async function connectionForm(
  request: ConnectionFormRequest,
): Promise<ConnectionFormState | undefined> {
  return await vscode.commands.executeCommand(commands.connectionForm, request);
}

/**
 * Opens a connection's form or, without a name, a new form, then changes fields and saves. Returns the state if the
 * form stays open.
 */
export async function saveConnectionForm(
  name: string | undefined,
  change: Readonly<Record<string, string>> = {},
  secret = '',
): Promise<ConnectionFormState | undefined> {
  await (name === undefined
    ? vscode.commands.executeCommand(commands.connectionAdd)
    : vscode.commands.executeCommand(commands.connectionEdit, name));
  const state = await connectionForm({ kind: 'ready' });
  assert.ok(state, 'no form is open');
  return await connectionForm({ kind: 'save', texts: { ...state.answers, ...change }, secret });
}

interface Answers {
  readonly texts: readonly string[];
  dispose(): void;
}

/**
 * Answers modal dialogs, which host tests cannot show, and records their messages.
 * @param isYes chooses the last button, which confirms; otherwise the first
 */
export function answerDialogs({ isYes }: { readonly isYes: boolean } = { isYes: true }): Answers {
  return answerMessages('showWarningMessage', (buttons) => (isYes ? buttons.at(-1) : buttons[0]));
}

/** Answers input boxes, which cannot be typed into here, with the given text. Records their titles. */
export function answerInputBoxes(text: string | undefined): Answers {
  const texts: string[] = [];
  const original = vscode.window.showInputBox.bind(vscode.window);
  const answer = (options: vscode.InputBoxOptions) => {
    assert.equal(options.password, true, 'what is typed here can be read over the shoulder');
    texts.push(options.title ?? '');
    return Promise.resolve(text);
  };
  Object.assign(vscode.window, { showInputBox: answer });
  return { texts, dispose: () => Object.assign(vscode.window, { showInputBox: original }) };
}

export async function closeAllEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty) continue;
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await until(
    'drafts are closed',
    () => !vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === 'untitled'),
  );
}
