/** The Testing view over controls: workspace files by folder and saved queries, run through the one engine. */
import * as vscode from 'vscode';
import { UserAbort } from '../../../../api/client/errors.ts';
import { readControl } from '../../../../core/src/controls/control.ts';
import { outcomes, type ControlResult, type Outcome } from '../../../../core/src/controls/control-result.ts';
import { factsFor, readControlFiles } from '../../../../core/src/controls/files/control-facts.ts';
import { noFacts } from '../../../../core/src/controls/control-rows.ts';
import { outcomeWord } from '../../../../core/src/controls/outcome-words.ts';
import type { FoundControl } from '../../../../core/src/controls/find-controls.ts';
import { runControls } from '../../../../core/src/controls/run-controls.ts';
import { forLabel, forLine, forMessage } from '../../../../core/src/shown-text/for-places.ts';
import { ageText } from '../../../../core/src/util/age-text.ts';
import { DisposableStore } from '../../../../core/src/util/disposables.ts';
import { failureOf } from '../../../../core/src/util/failure.ts';
import { checkControl, controlName, controlRoot, environmentDigests } from './control-document.ts';
import { controlMessage } from './contributions.ts';
import type { ControlsDependencies } from './dependencies.ts';

interface EditorControl {
  readonly found: FoundControl;
  readonly uri: vscode.Uri;
  /** Of the folder it is in, else that it is a saved query. */
  readonly group: string;
}

const filesMax = 2_000;
const bytesMax = 1_000_000;
const atATime = 4;
const keptKey = 'controls.lastOutcomes';

/** Every control of the workspace and of the connection. Texts that are not kept are read, a few. */
export async function findEditorControls(
  { queries, uriOf, log }: ControlsDependencies,
  signal: AbortSignal,
): Promise<readonly EditorControl[]> {
  const found: EditorControl[] = [];
  for (const uri of await vscode.workspace.findFiles('**/*.identity.sql', '**/node_modules/**', filesMax)) {
    if (signal.aborted) return found;
    const text = await textOf(uri);
    const control = text === undefined ? undefined : readControl(text);
    if (text === undefined || control === undefined) continue;
    const name = vscode.workspace.asRelativePath(uri);
    const group = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : vscode.l10n.t('Files');
    found.push({ found: { control, place: { name }, text }, uri, group });
  }
  try {
    for await (const { query, text } of queries.withTexts({ signal })) {
      const control = text === undefined ? undefined : readControl(text);
      const uri = control === undefined ? undefined : uriOf(query);
      if (text === undefined || control === undefined || uri === undefined) continue;
      const place = { name: query.name, savedQueryId: query.query_id };
      found.push({
        found: { control, place, text, model: query.model },
        uri,
        group: vscode.l10n.t('Saved queries'),
      });
    }
  } catch (error) {
    if (!(error instanceof UserAbort)) log.warn(`saved queries were not all looked through for controls`);
  }
  return found;
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.length > bytesMax ? undefined : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined; // what cannot be read as text is no query
  }
}

/** When a control last ended, and how. */
interface KeptOutcome {
  readonly outcome: Outcome;
  readonly at: number;
}

export class ControlTests {
  readonly #deps: ControlsDependencies;
  readonly #disposables = new DisposableStore();
  readonly #tests: vscode.TestController;
  readonly #controls = new Map<string, EditorControl>();
  readonly #searching = new AbortController();

  constructor(deps: ControlsDependencies) {
    this.#deps = deps;
    this.#tests = this.#disposables.add(
      vscode.tests.createTestController('identityQueries.controls', vscode.l10n.t('Controls')),
    );
    this.#tests.refreshHandler = () => this.refresh();
    const profile = this.#disposables.add(
      this.#tests.createRunProfile(
        vscode.l10n.t('Run Controls'),
        vscode.TestRunProfileKind.Run,
        (request, token) => this.#run(request, token),
        true,
      ),
    );
    profile.supportsContinuousRun = true;
  }

  dispose(): void {
    this.#searching.abort();
    this.#disposables.dispose();
  }

  async refresh(): Promise<void> {
    const found = await findEditorControls(this.#deps, this.#searching.signal);
    if (this.#searching.signal.aborted) return;
    this.#controls.clear();
    const groups = Map.groupBy(found, ({ group }) => group);
    const items = [...groups].map(([group, controls]) => {
      // Folders of a pack differ in their last part, which a narrow view would cut. A description would be read aloud
      // in place of the label.
      const cut = group.lastIndexOf('/');
      const label = cut > 0 ? `${group.slice(cut + 1)} (${group.slice(0, cut)})` : group;
      const item = this.#tests.createTestItem(`group:${group}`, forLabel(label));
      item.children.replace(controls.map((control) => this.#itemOf(control)));
      return item;
    });
    this.#tests.items.replace(items);
  }

  #itemOf(control: EditorControl): vscode.TestItem {
    const { uri, found } = control;
    const id = uri.toString();
    this.#controls.set(id, control);
    const item = this.#tests.createTestItem(id, forLabel(controlName(found.control)), uri);
    item.range = lineRange(found.control.lines.control);
    item.sortText = found.control.id;
    item.tags = found.control.tags.map(
      ({ name, value }) => new vscode.TestTag(value === undefined ? name : `${name}=${value}`),
    );
    this.#describe(item);
    return item;
  }

  /** The last outcome with its age, until it is run again. */
  #describe(item: vscode.TestItem): void {
    const kept = this.#kept()[item.id];
    if (kept === undefined) return;
    item.description = forLine(
      `${outcomeWord(kept.outcome)}, ${ageText(kept.at, Date.now(), vscode.env.language)}`,
    );
  }

  #kept(): Readonly<Record<string, KeptOutcome>> {
    const value = this.#deps.context.workspaceState.get<unknown>(keptKey);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([id, kept]) =>
        isKept(kept) ? [[id, kept] as const] : [],
      ),
    ); // members of whatever was kept
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    await this.#runOnce(request, token);
    if (request.continuous !== true) return;
    const wanted = new Set(this.#itemsOf(request).map(({ id }) => id));
    const saved = vscode.workspace.onDidSaveTextDocument((document) => {
      const item = this.#itemAt(document.uri.toString());
      if (item !== undefined && wanted.has(item.id))
        void this.#runOnce(new vscode.TestRunRequest([item], undefined, request.profile, true), token);
    });
    token.onCancellationRequested(() => void saved.dispose());
  }

  async #runOnce(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const items = this.#itemsOf(request);
    const run = this.#tests.createTestRun(request);
    const controller = new AbortController();
    if (token.isCancellationRequested) controller.abort();
    const ended = token.onCancellationRequested(() => controller.abort());
    const cancelled = run.token.onCancellationRequested(() => controller.abort());
    try {
      await this.#runItems(run, items, controller.signal);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'cancelled')
        for (const item of items) run.errored(item, new vscode.TestMessage(forMessage(failure.message)));
    } finally {
      ended.dispose();
      cancelled.dispose();
      run.end();
    }
  }

  async #runItems(
    run: vscode.TestRun,
    items: readonly vscode.TestItem[],
    signal: AbortSignal,
  ): Promise<void> {
    const client = this.#deps.session.requireClient();
    const byFound = new Map<FoundControl, vscode.TestItem>();
    const documents = new Map<FoundControl, vscode.TextDocument>();
    for (const item of items) {
      const known = this.#controls.get(item.id);
      if (known === undefined) continue;
      const document = await vscode.workspace.openTextDocument(known.uri);
      const text = document.getText();
      // As it is in the editor now, with edits that are not saved.
      const control = readControl(text);
      const found: FoundControl = control === undefined ? known.found : { ...known.found, control, text };
      byFound.set(found, item);
      documents.set(found, document);
      run.enqueued(item);
    }
    const digests = environmentDigests();
    const root = controlRoot();
    const files = root === undefined ? undefined : await readControlFiles(root);
    await runControls([...byFound.keys()], {
      client,
      signal,
      atATime,
      check: async (found) => {
        const document = documents.get(found);
        return document === undefined
          ? { statements: [], model: '' }
          : await checkControl(this.#deps, document);
      },
      factsOf: ({ control }) =>
        files === undefined
          ? noFacts
          : factsFor(control, files, {
              isNewOnly: false,
              now: new Date(),
              ...(digests === undefined ? {} : { digests }),
            }),
      onStart: (found) => {
        const item = byFound.get(found);
        if (item !== undefined) run.started(item);
      },
      onEnd: (result, found) => {
        const item = byFound.get(found);
        if (item !== undefined) this.#tell(run, item, result);
      },
    });
  }

  #tell(run: vscode.TestRun, item: vscode.TestItem, result: ControlResult): void {
    const { outcome, ms } = result;
    const notes = result.notes.map(
      ({ file, line, message }) => `${file ?? ''}${line === undefined ? '' : `:${line}`} ${message}`,
    );
    const text = forMessage([result.message, ...notes].join(' '));
    const message = new vscode.TestMessage(text);
    message.contextValue = controlMessage;
    if (item.uri !== undefined) message.location = new vscode.Location(item.uri, lineRange(result.line));
    switch (outcome) {
      case 'pass':
      case 'warn':
        run.passed(item, ms);
        break;
      case 'fail':
        run.failed(item, message, ms);
        break;
      case 'waived':
        run.skipped(item);
        break;
      case 'error':
        run.errored(item, message, ms);
        break;
      default:
        outcome satisfies never;
    }
    run.appendOutput(
      `${outcomeWord(outcome)}: ${forLabel(controlName(result.control))}: ${text}\r\n`,
      undefined,
      item,
    );
    // Of controls that are gone nothing is kept.
    const others = Object.entries(this.#kept()).filter(([id]) => this.#controls.has(id));
    const kept = { ...Object.fromEntries(others), [item.id]: { outcome, at: Date.now() } };
    void this.#deps.context.workspaceState.update(keptKey, kept).then(() => this.#describe(item));
  }

  #itemsOf({ include, exclude = [] }: vscode.TestRunRequest): readonly vscode.TestItem[] {
    const items: vscode.TestItem[] = [];
    const take = (item: vscode.TestItem) => {
      if (exclude.includes(item)) return;
      if (this.#controls.has(item.id)) items.push(item);
      for (const [, child] of item.children) take(child);
    };
    if (include === undefined) for (const [, item] of this.#tests.items) take(item);
    else for (const item of include) take(item);
    return items;
  }

  #itemAt(id: string): vscode.TestItem | undefined {
    for (const [, group] of this.#tests.items) {
      const item = group.children.get(id);
      if (item !== undefined) return item;
    }
    return undefined;
  }
}

function lineRange(line: number): vscode.Range {
  return new vscode.Range(line - 1, 0, line - 1, 0);
}

function isKept(value: unknown): value is KeptOutcome {
  if (typeof value !== 'object' || value === null || !('outcome' in value) || !('at' in value)) return false;
  return typeof value.at === 'number' && outcomes.some((each) => each === value.outcome);
}
