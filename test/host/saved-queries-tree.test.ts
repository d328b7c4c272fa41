/**
 * The rows of the Saved Queries view: their content, their redraws, and the view for a service that cannot list
 * queries.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { ContractError, RateLimitError, ServerFaultError } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore } from '#base/disposables.ts';
import { markdownText } from '#base/shown-text/for-markdown.ts';
import { commands } from '#client/contributions.ts';
import { KeptOutcomes } from '#client/features/controls/kept-outcomes.ts';
import { createKnownQueries } from '#client/features/saved-queries/records/known-queries.ts';
import { QueryVersions } from '#client/features/saved-queries/records/query-versions.ts';
import { RememberedQueries } from '#client/features/saved-queries/records/remembered-queries.ts';
import { SavedQueriesStore } from '#client/features/saved-queries/records/saved-queries-store.ts';
import { DocumentSaves } from '#client/features/saved-queries/saving/document-saves.ts';
import { OpenQueries } from '#client/features/saved-queries/saving/open-queries.ts';
import { ArrangementStore } from '#client/features/saved-queries/view/arrangement-store.ts';
import { groupItem } from '#client/features/saved-queries/view/query-items.ts';
import { QueryMarks } from '#client/features/saved-queries/view/query-marks.ts';
import type { SavedQueryNode } from '#client/features/saved-queries/view/query-nodes.ts';
import { SavedQueriesTree } from '#client/features/saved-queries/view/saved-queries-tree.ts';
import type { Away, ConnectionState } from '#client/session/session.ts';
import { awayRows, failureMessage } from '#client/ui/failure-rows.ts';
import { shortFailure } from '#client/ui/short-failure.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { QueryTexts } from '#core/saved-queries/query-texts.ts';
import { VersionStore } from '#core/saved-queries/version-store.ts';
import {
  closeAllEditors,
  connectionName,
  createQuery,
  open,
  replaceAll,
  requestsTo,
  saveMeanwhile,
  setFaults,
  until,
  uriOf,
  useService,
} from './support.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

/** A memento for a test's windows. */
class Memory implements vscode.Memento {
  readonly #values = new Map<string, unknown>();
  keys(): readonly string[] {
    return [...this.#values.keys()];
  }
  get<T>(key: string, fallback?: T): T {
    return (this.#values.get(key) ?? fallback) as T; // the value type for this key
  }
  update(key: string, value: unknown): Thenable<void> {
    this.#values.set(key, value);
    return Promise.resolve();
  }
}

suite('rows of saved queries', () => {
  const disposables = new DisposableStore();
  const { colleague: client } = useService();
  let folder: string;

  suiteSetup(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-tree-'));
  });
  suiteTeardown(async () => {
    disposables.dispose();
    // A write that has begun may still end.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Creates a separate view of the service, in a window whose state is `memory`. */
  function view(memory = new Memory(), texts?: QueryTexts, service: () => ServiceClient = () => client) {
    const onDidChangeState = disposables.add(new vscode.EventEmitter<ConnectionState>());
    const onDidChangeReach = disposables.add(new vscode.EventEmitter<void>());
    const session = {
      state: { kind: 'disconnected' } as ConnectionState,
      onDidChangeState: onDidChangeState.event,
      away: undefined as Away | undefined,
      onDidChangeReach: onDidChangeReach.event,
      requireClient: service,
    };
    const remembered = disposables.add(
      new RememberedQueries(memory, () => (session.state.kind === 'connected' ? 'key' : undefined)),
    );
    const versions = new VersionStore({ folder, log });
    const store = disposables.add(
      new SavedQueriesStore({ session, log, remembered, versions, ...(texts && { texts }) }),
    );
    const arrangement = disposables.add(new ArrangementStore(memory));
    const queries = new OpenQueries();
    const connections = { nameNow: () => connectionName };
    const marks = disposables.add(new QueryMarks(store, queries, connections));
    const outcomes = disposables.add(
      new KeptOutcomes(memory, () => (session.state.kind === 'connected' ? 'key' : undefined)),
    );
    const heard: SavedQuery[] = [];
    const news = {
      noteHeard: (_connection: string, newest: SavedQuery) => {
        heard.push(newest);
        store.put(newest);
      },
    };
    const tree = disposables.add(
      new SavedQueriesTree({
        session,
        connections,
        store,
        remembered,
        arrangement,
        marks,
        outcomes,
        versions: disposables.add(new QueryVersions({ kept: versions, session, store, log })),
        log,
        news,
      }),
    );
    const drawn: (SavedQueryNode | SavedQueryNode[] | undefined)[] = [];
    disposables.add(tree.onDidChangeTreeData((node) => drawn.push(node)));
    const profile: ConnectionProfile = {
      name: connectionName,
      baseUrl: '',
      authUrl: '',
      clientId: '',
      protected: false,
      allowChanges: false,
      allowPlainHttp: false,
      source: 'environment',
    };
    const change = async (state: ConnectionState) => {
      session.state = state;
      onDidChangeState.fire(state);
      await new Promise(setImmediate);
    };
    const connect = () => {
      session.state = {
        kind: 'connected',
        profile,
        client: service(),
        models: [],
        modelsReadAt: 0,
      };
      onDidChangeState.fire(session.state);
    };
    const reach = (away: Away | undefined) => {
      session.away = away;
      onDidChangeReach.fire();
    };
    /** Waits until the view shows the complete list. */
    const settled = async () => {
      await until('the list is read', () => store.state.kind !== 'loading' && store.state.kind !== 'empty');
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    };
    const itemOf = (node: SavedQueryNode) => tree.getTreeItem(node);
    const childrenOf = async (node?: SavedQueryNode) => await tree.getChildren(node);
    const labels = async (node?: SavedQueryNode) =>
      (await childrenOf(node)).map((each) => {
        const { label } = itemOf(each);
        return typeof label === 'string' ? label : (label?.label ?? '');
      });
    const queryNode = async (query: SavedQuery) => {
      arrangement.set({ grouping: 'none', filter: query.name });
      await new Promise(setImmediate);
      const nodes = await childrenOf();
      const node = nodes.find((each) => each.kind === 'query' && each.queryId === query.query_id);
      assert.ok(node);
      return node;
    };
    return {
      store,
      heard,
      known: createKnownQueries(store, session),
      remembered,
      arrangement,
      queries,
      marks,
      outcomes,
      tree,
      versions,
      drawn,
      profile,
      change,
      connect,
      reach,
      settled,
      itemOf,
      childrenOf,
      labels,
      queryNode,
    };
  }

  const query = (name: string, fields: Partial<SavedQuery> = {}): SavedQuery => ({
    query_id: name,
    name,
    query_string: 'SELECT 1',
    model: 'platform_identity',
    version: 1,
    ...fields,
  });

  test('shows nothing while disconnected, then the queries that the service lists', async () => {
    const window = view();
    assert.deepEqual(await window.labels(), []);
    const made = await createQuery(client);
    window.connect();
    await new Promise(setImmediate);
    assert.deepEqual(await window.labels(), ['Loading...']);
    await window.settled();
    const item = window.itemOf(await window.queryNode(made));
    assert.deepEqual([item.label, item.description], [made.name, 'v1']);
    const { command, arguments: given } = item.command ?? {};
    assert.deepEqual([command, String(given?.[0])], ['vscode.open', String(uriOf(made))]);
    assert.equal(item.accessibilityInformation?.label, `${made.name}, version 1, model platform_identity`);
  });

  test('an unreadable query is reported, the others are shown, and known ones stay', async () => {
    const made = await createQuery(client);
    let isOdd = false;
    const { savedQueries } = client;
    const odd: ServiceClient = {
      ...client,
      savedQueries: {
        ...savedQueries,
        async *listSummaries(options) {
          if (isOdd) options?.onLeftOut?.(['the member `name` is missing']);
          for await (const listed of savedQueries.listSummaries(options))
            if (!isOdd || listed.query_id !== made.query_id) yield listed;
        },
      },
    };
    const window = view(new Memory(), undefined, () => odd);
    window.connect();
    await window.settled();
    isOdd = true;
    await window.store.refresh();
    await window.settled();
    const [first, second] = await window.labels();
    assert.equal(first, '1 saved query could not be read. The log says why.');
    assert.ok(second !== undefined);
    assert.ok(window.store.get(made.query_id), 'it may be the one that could not be read');
  });

  test('a service that was away is listed again when it responds', async () => {
    const window = view();
    window.connect();
    await window.settled();
    window.reach({ reason: 'The service is away.', short: 'away' });
    const made = await createQuery(client);
    assert.equal(window.store.get(made.query_id), undefined);
    window.reach(undefined);
    await window.settled();
    assert.ok(window.store.get(made.query_id));
  });

  test('a refresh ends once the list is read, though another one takes its place', async () => {
    const window = view();
    window.connect();
    await window.settled();
    const made = await createQuery(client);
    const first = window.store.refresh();
    const second = window.store.refresh();
    await first;
    assert.ok(window.store.get(made.query_id));
    await second;
  });

  test('one changed record redraws only its row', async () => {
    const window = view();
    const made = await createQuery(client);
    window.connect();
    await window.settled();
    window.drawn.length = 0;
    window.store.put({ ...made, version: 2 });
    await until('it is drawn', () => window.drawn.length > 0);
    assert.equal(window.drawn.length, 1);
    const [rows] = window.drawn;
    assert.ok(Array.isArray(rows));
    assert.deepEqual(
      rows.map((row) => row.kind === 'query' && row.queryId),
      [made.query_id],
    );
    assert.equal(window.itemOf(await window.queryNode(made)).description, 'v2');
  });

  test('the outcome of a control is that of the connection it ran on', async () => {
    const window = view();
    const made = await createQuery(client);
    window.connect();
    await window.settled();
    window.outcomes.put(made.query_id, { outcome: 'pass', rows: undefined }, 'other');
    assert.equal(window.itemOf(await window.queryNode(made)).description, 'v1');
    window.outcomes.put(made.query_id, { outcome: 'fail', rows: undefined }, 'key');
    assert.match(String(window.itemOf(await window.queryNode(made)).description), /^v1 \u00b7 Failed/);
  });

  test('sorted by the last change, a row shows its time and author; its tooltip also shows who created it', async () => {
    const window = view();
    const made = await createQuery(client);
    window.connect();
    await window.settled();
    const dates = { created_at: '2024-03-04T05:06:07Z', last_modified_at: '2025-06-07T08:09:10Z' };
    const people = { created_by: { type: 'User', id: 'ann' }, last_modified_by: { type: 'User', id: 'bob' } };
    window.store.put({ ...made, ...dates, ...people, version: 2 });
    assert.equal(window.itemOf(await window.queryNode(made)).description, 'v2');
    window.arrangement.set({ sorting: 'changed' });
    const item = window.itemOf(await window.queryNode(made));
    const [version, day, author] = String(item.description).split(' \u00b7 ');
    assert.deepEqual([version, author], ['v2', 'bob']);
    assert.match(day ?? '', /\b(25|2025)\b/);
    assert.ok(item.tooltip instanceof vscode.MarkdownString);
    assert.match(item.tooltip.value, /Last changed .*2025.* by bob/);
    assert.match(item.tooltip.value, /Created .*2024.* by ann/);
  });

  test('a refresh without changes draws nothing, and rows stay the same objects', async () => {
    const window = view();
    window.connect();
    await window.settled();
    const before = await window.childrenOf();
    window.drawn.length = 0;
    await window.store.refresh();
    await window.settled();
    assert.deepEqual(window.drawn, []);
    assert.deepEqual(
      (await window.childrenOf()).map((node, index) => node === before[index]),
      before.map(() => true),
    );
  });

  test('a refresh that brings one new version draws one row', async () => {
    const window = view();
    const made = await createQuery(client);
    window.connect();
    await window.settled();
    await saveMeanwhile(client, made, { query_string: 'SELECT 2' });
    window.drawn.length = 0;
    await window.store.refresh();
    await window.settled();
    assert.equal(window.drawn.flat().length, 1);
    assert.equal(window.itemOf(await window.queryNode(made)).description, 'v2');
  });

  test('long lists are shown in parts, each as long as the visible ones', async () => {
    const window = view();
    window.connect();
    await window.settled();
    window.arrangement.set({ grouping: 'none', filter: 'paged' });
    for (let index = 0; index < 900; index += 1) window.store.put(query(`Paged ${index}`));
    await new Promise(setImmediate);
    const count = async () => (await window.childrenOf()).filter(({ kind }) => kind === 'query').length;
    assert.equal(await count(), 200);
    const more = (await window.childrenOf()).at(-1);
    assert.ok(more?.kind === 'more');
    assert.deepEqual(
      [window.itemOf(more).label, window.itemOf(more).description],
      ['Show 200 more', '700 not shown'],
    );
    window.tree.showMore('');
    assert.equal(await count(), 400);
    window.tree.showMore('');
    assert.equal(await count(), 800);
    window.tree.showMore('');
    assert.equal(await count(), 900);
    assert.equal((await window.childrenOf()).at(-1)?.kind, 'query');
  });

  test('groups, favourites and recently opened queries', async () => {
    const window = view();
    window.connect();
    await window.settled();
    window.store.put(query('Zoo/Cages/Keys', { query_id: 'keys' }));
    window.store.put(query('Zoo/Gate', { query_id: 'gate' }));
    window.remembered.setFavourite('gate', true);
    window.remembered.noteOpened('keys');
    window.tree.lookForRecent();
    await new Promise(setImmediate);
    const root = await window.childrenOf();
    const labels = await window.labels();
    assert.deepEqual(labels.slice(0, 2), ['Favorites', 'Recently Opened']);
    const zoo = root[labels.indexOf('Zoo')];
    assert.ok(zoo);
    assert.deepEqual(await window.labels(zoo), ['Cages', 'Gate']);
    const [cages, gate] = await window.childrenOf(zoo);
    assert.ok(cages && gate);
    assert.deepEqual(await window.labels(cages), ['Keys']);
    assert.equal(window.tree.getParent(cages), zoo);
    assert.equal(window.tree.getParent(gate), zoo);
    assert.equal(window.itemOf(gate).contextValue, 'savedQuery favourite');
    assert.deepEqual(await window.labels(root[0]), ['Gate']);
    const [favourite] = await window.childrenOf(root[0]);
    assert.ok(favourite);
    assert.equal(window.itemOf(favourite).description, 'v1 · Zoo');
    assert.deepEqual(await window.labels(root[1]), ['Keys']);
    const ids = [gate, ...(await window.childrenOf(root[0]))].map((node) => window.itemOf(node).id);
    assert.equal(new Set(ids).size, 2, 'the two rows of a favourite are told apart');
  });

  test('opening a query moves no row of the recently opened ones until the person looks at them', async () => {
    const window = view();
    window.connect();
    await window.settled();
    for (const id of ['one', 'two', 'three']) window.store.put(query(`Recent/${id}`, { query_id: id }));
    window.remembered.noteOpened('one');
    window.remembered.noteOpened('two');
    await new Promise(setImmediate);
    // Even a first row would move the others.
    assert.ok(!(await window.labels()).includes('Recently Opened'));
    window.tree.lookForRecent();
    await new Promise(setImmediate);
    const recent = async () => await window.labels((await window.childrenOf())[0]);
    assert.deepEqual(await recent(), ['two', 'one']);
    window.remembered.noteOpened('one');
    window.remembered.noteOpened('three');
    await new Promise(setImmediate);
    assert.deepEqual(await recent(), ['two', 'one']);
    window.tree.lookForRecent();
    await new Promise(setImmediate);
    assert.deepEqual(await recent(), ['three', 'one', 'two']);
    window.remembered.forget('one');
    await new Promise(setImmediate);
    assert.deepEqual(await recent(), ['three', 'two']);
  });

  test('the next window remembers grouping and order, but not the filter', () => {
    const memory = new Memory();
    view(memory).arrangement.set({ grouping: 'author', sorting: 'changed', filter: 'x' });
    assert.deepEqual(view(memory).arrangement.value, { grouping: 'author', sorting: 'changed', filter: '' });
  });

  test('a filter without matches offers to search in texts', async () => {
    const window = view();
    window.connect();
    await window.settled();
    window.arrangement.set({ filter: crypto.randomUUID() });
    await new Promise(setImmediate);
    assert.deepEqual(await window.labels(), ['No saved query matches. Search in texts too.']);
  });

  test('versions seen here are listed under their query, newest first, with time and author', async () => {
    const window = view();
    const made = await createQuery(client);
    window.versions.note(connectionName, made);
    const saved = await saveMeanwhile(client, made, { query_string: 'SELECT 2' });
    window.versions.note(connectionName, saved);
    window.connect();
    await window.settled();
    const node = await window.queryNode(made);
    assert.deepEqual(await window.labels(node), ['Version 2', 'Version 1']);
    const [newest, first] = await window.childrenOf(node);
    assert.ok(newest && first);
    assert.match(
      String(window.itemOf(newest).description),
      new RegExp(`\\d.* · ${saved.last_modified_by?.id ?? ''}`),
    );
    const { description, tooltip } = window.itemOf(newest);
    const [time = ''] = String(description).split(' \u00b7 ');
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.ok(tooltip.value.includes(markdownText(time)), `${time} has the same form as ${tooltip.value}`);
    assert.deepEqual(
      [window.itemOf(newest).contextValue, window.itemOf(first).contextValue],
      ['queryVersion newest', 'queryVersion first'],
    );
    assert.equal(window.tree.getParent(first), node);
  });

  test('versions that nobody saw here are listed too, if the service lists them', async () => {
    const made = await createQuery(client);
    await saveMeanwhile(client, made, { query_string: 'SELECT 2' });
    const third = await saveMeanwhile(client, made, { query_string: 'SELECT 3' });
    const path = `/v1/query/saved-queries/${made.query_id}/versions`;
    const window = view();
    window.connect();
    await window.settled();
    const node = await window.queryNode(third);
    await until('all are there', async () => (await window.labels(node)).length === 3);
    assert.deepEqual(await window.labels(node), ['Version 3', 'Version 2', 'Version 1']);
    const asked = async () => (await requestsTo(path)).length;
    assert.equal(await asked(), 1, 'the service is asked once');
    const fourth = await saveMeanwhile(client, third, { query_string: 'SELECT 4' });
    window.store.put(fourth);
    await until('the new one is there', async () => (await window.labels(node)).length === 4);
    assert.equal(await asked(), 2, 'a change is a reason to ask again');
    await setFaults([{ path, always: { kind: 'status', status: 404 } }]);
    const other = view();
    other.connect();
    await other.settled();
    other.versions.note(connectionName, fourth);
    assert.deepEqual(
      await other.labels(await other.queryNode(fourth)),
      ['Version 4', 'Version 3'],
      'this machine saw two in lists',
    );
    const refused = (await requestsTo(path)).length;
    await other.labels(await other.queryNode(fourth));
    assert.equal((await requestsTo(path)).length, refused, 'no list is asked for that is not there');
    await setFaults([]);
    other.drawn.length = 0;
    await other.store.refresh();
    await until('what a gateway said holds until a refresh, which reads the rows that are shown', () =>
      other.drawn.flat().some((node) => node?.kind === 'query' && node.queryId === fourth.query_id),
    );
    assert.equal((await other.labels(await other.queryNode(fourth))).length, 4);
  });

  test('versions that were read are there at once, under the same IDs, and drawn again only if they changed', async () => {
    const made = await createQuery(client);
    const second = await saveMeanwhile(client, made, { query_string: 'SELECT 2' });
    const window = view();
    window.connect();
    await window.settled();
    const node = await window.queryNode(second);
    await until('all are there', async () => (await window.labels(node)).length === 2);
    const ids = async () => (await window.childrenOf(node)).map((each) => window.itemOf(each).id);
    const [before, rows] = [await ids(), await window.childrenOf(node)];
    // The editor forgets the rows that it shows until it has others: it must not wait for a file or the service.
    const again = window.tree.getChildren(node);
    assert.ok(Array.isArray(again), 'rows that were read need no wait');
    assert.ok(again.every((each, index) => each === rows[index]));
    // Kept on this machine now, the version is the same row with another tooltip.
    window.drawn.length = 0;
    window.versions.note(connectionName, made);
    await until('it is drawn again', () => window.drawn.length > 0);
    assert.deepEqual(window.drawn, [[node]]);
    assert.deepEqual(await ids(), before);
  });

  test('versions are drawn as they are read, however often they are asked for before that', async () => {
    const made = await createQuery(client);
    const window = view();
    window.connect();
    await window.settled();
    const node = await window.queryNode(made);
    assert.deepEqual(await window.labels(node), ['Version 1']);
    const reads: ((versions: readonly number[]) => void)[] = [];
    window.versions.versions = async () => {
      const read = Promise.withResolvers<readonly number[]>();
      reads.push(read.resolve);
      return (await read.promise).map((version) => ({ record: { ...made, version }, seenAt: 0 }));
    };
    const isDrawn = async (...labels: string[]) => {
      await until('it is drawn', () => window.drawn.length > 0);
      window.drawn.length = 0;
      assert.deepEqual(await window.labels(node), labels);
    };
    window.drawn.length = 0;
    for (let count = 0; count < 3; count++) void window.tree.getChildren(node);
    // All that is known, since what the service lists may not be read yet.
    reads[1]?.([2, 1]);
    await isDrawn('Version 2', 'Version 1');
    // It began earlier.
    reads[0]?.([]);
    reads[2]?.([3, 2, 1]);
    await isDrawn('Version 3', 'Version 2', 'Version 1');
  });

  test('a version that only gave the query another name says so', async () => {
    const window = view();
    const made = await createQuery(client);
    window.versions.note(connectionName, made);
    const renamed = await saveMeanwhile(client, made, { name: `Renamed ${made.name}` });
    window.versions.note(connectionName, renamed);
    window.versions.note(connectionName, await saveMeanwhile(client, renamed, { query_string: 'SELECT 3' }));
    window.connect();
    await window.settled();
    const node = await window.queryNode({ ...renamed, version: 3 });
    const beside = (await window.childrenOf(node)).map((each) => String(window.itemOf(each).description));
    assert.deepEqual(
      beside.map((text) => text.includes(`renamed from "${made.name}"`)),
      [false, true, false],
    );
  });

  test('a version that another window saw is the newest at once, and the service is asked only once', async () => {
    const window = view();
    const made = await createQuery(client);
    window.versions.note(connectionName, made);
    window.connect();
    await window.settled();
    const node = await window.queryNode(made);
    await window.childrenOf(node);
    assert.deepEqual(window.heard, []);
    const saved = await saveMeanwhile(client, made, { query_string: 'SELECT 2' });
    const other = view();
    other.versions.note(connectionName, saved);
    await other.versions.flush();
    await window.childrenOf(node);
    await until('the window has heard', () => window.store.get(made.query_id)?.version === 2);
    const kinds = (await window.childrenOf(node)).map((each) => window.itemOf(each).contextValue);
    assert.deepEqual(kinds, ['queryVersion newest', 'queryVersion first']);
    assert.match(String(window.itemOf(node).description), /^v2/);
    assert.deepEqual(window.heard, [saved]);
  });

  /** Opens a query in a view that knows its version. */
  async function openedQuery() {
    const window = view();
    const made = await createQuery(client);
    window.connect();
    await window.settled();
    const document = await open(made);
    window.queries.of(document.uri).fill(made);
    return { window, made, document };
  }

  test('unsaved edits are marked, and a newer version makes them a conflict', async () => {
    const { window, made, document } = await openedQuery();
    assert.equal(window.marks.get(made.query_id), undefined);
    await replaceAll(document, 'SELECT 3');
    await until('it is marked', () => window.marks.get(made.query_id) !== undefined);
    assert.deepEqual(window.marks.get(made.query_id), { kind: 'unsaved' });
    window.store.put({ ...made, version: 2 });
    assert.deepEqual(window.marks.get(made.query_id), { kind: 'conflict', base: 1, newest: 2 });
    const label = window.itemOf(await window.queryNode(made)).accessibilityInformation?.label ?? '';
    assert.match(label, /Unsaved changes to version 1; the service has version 2/);
    await closeAllEditors();
    await until('the mark is gone', () => window.marks.get(made.query_id) === undefined);
  });

  /** Opens and edits a query in a view that saves through `service`, and notes each mark of its row. */
  async function editedQuery(service: ServiceClient = client) {
    const { window, made, document } = await openedQuery();
    const marks: (string | undefined)[] = [];
    disposables.add(window.marks.onDidChange(() => marks.push(window.marks.get(made.query_id)?.kind)));
    const saves = disposables.add(
      new DocumentSaves({
        queries: window.queries,
        labels: () => ({ mine: 'mine', theirs: 'theirs' }),
        onRecord: (_uri, record) => window.store.put(record),
      }),
    );
    await replaceAll(document, 'SELECT 3');
    await until('it is marked', () => marks.length > 0);
    const save = () => saves.save({ uri: document.uri, text: 'SELECT 3', client: service, isExplicit: true });
    return { window, made, marks, save };
  }

  test("a window's own save never marks its row as a conflict, not even while the service responds", async () => {
    const { window, made, marks, save } = await editedQuery();
    assert.equal((await save()).kind, 'saved');
    assert.equal(window.store.get(made.query_id)?.version, 2);
    // The editor only becomes clean when it saves, too.
    assert.deepEqual(marks, ['unsaved']);
    window.store.put({ ...made, version: 3 });
    assert.deepEqual(window.marks.get(made.query_id), { kind: 'conflict', base: 2, newest: 3 });
  });

  test("a colleague's version that the list shows during a save is marked once the save has found it", async () => {
    const during: (string | undefined)[] = [];
    const service: ServiceClient = {
      ...client,
      savedQueries: {
        ...client.savedQueries,
        async update(...request) {
          window.store.put(await saveMeanwhile(client, made, { query_string: 'SELECT 2' }));
          during.push(window.marks.get(made.query_id)?.kind);
          return await client.savedQueries.update(...request);
        },
      },
    };
    const { window, made, marks, save } = await editedQuery(service);
    assert.equal((await save()).kind, 'ask');
    assert.deepEqual(during, ['unsaved']);
    assert.deepEqual(marks, ['unsaved', 'conflict']);
    assert.deepEqual(window.marks.get(made.query_id), { kind: 'conflict', base: 1, newest: 2 });
  });

  test('a newer version of a query that is open without edits is not a conflict, and its reload removes the mark', async () => {
    const { window, made, document } = await openedQuery();
    const newest = { ...made, version: 2, query_string: 'SELECT 2' };
    window.store.put(newest);
    assert.deepEqual(window.marks.get(made.query_id), { kind: 'outdated', base: 1, newest: 2 });
    window.queries.of(document.uri).fill(newest);
    assert.equal(window.marks.get(made.query_id), undefined);
  });

  for (const status of [404, 405, 501]) {
    test(`if the list responds with ${status}, shows the queries that this person opened, created or marked, and a note`, async () => {
      const [opened, created, marked, other] = [
        await createQuery(client),
        await createQuery(client),
        await createQuery(client),
        await createQuery(client),
      ];
      const memory = new Memory();
      await setFaults([
        { method: 'GET', path: '/v1/query/saved-queries', always: { kind: 'status', status } },
      ]);
      const first = view(memory);
      first.connect();
      await first.settled();
      assert.deepEqual(await first.labels(), [
        'This service does not list saved queries. The view shows those that you opened, created or marked.',
      ]);
      first.remembered.noteOpened(opened.query_id);
      first.remembered.noteCreated(created.query_id);
      first.remembered.setFavourite(marked.query_id, true);
      const second = view(memory);
      second.connect();
      await second.settled();
      const known = second.store.list().map((each) => each.query_id);
      assert.deepEqual(known.toSorted(), [opened, created, marked].map((each) => each.query_id).toSorted());
      assert.equal(known.includes(other.query_id), false);
    });
  }

  test('a remembered query that is gone is forgotten; one that a gateway does not find is not', async () => {
    const [gone, kept] = [await createQuery(client), await createQuery(client)];
    await client.savedQueries.delete(gone.query_id);
    const memory = new Memory();
    const list = {
      method: 'GET',
      path: '/v1/query/saved-queries',
      always: { kind: 'status', status: 404 },
    } as const;
    await setFaults([list]);
    const first = view(memory);
    first.connect();
    await first.settled();
    for (const each of [gone, kept]) first.remembered.setFavourite(each.query_id, true);
    const gateway = {
      path: '/v1/query/saved-queries/*',
      always: { kind: 'status', status: 404, code: 'NO_ROUTE' },
    } as const;
    await setFaults([list, gateway]);
    await first.store.refresh();
    assert.deepEqual(first.remembered.favourites(), [gone.query_id, kept.query_id]);
    await setFaults([list]);
    await first.store.refresh();
    assert.deepEqual(first.remembered.favourites(), [kept.query_id]);
  });

  test('other features read all texts; missing ones are read up to a limit', async () => {
    const made = [await createQuery(client, 'SELECT 1'), await createQuery(client, 'SELECT 2')];
    const window = view(new Memory(), new QueryTexts(0));
    window.connect();
    await window.settled();
    const texts = async (maxReads?: number) => {
      const all = await Array.fromAsync(window.known.withTexts(maxReads === undefined ? {} : { maxReads }));
      assert.equal(all.length, window.store.size);
      return new Map(all.map(({ query: each, text }) => [each.query_id, text]));
    };
    const all = await texts();
    assert.deepEqual(
      made.map(({ query_id }) => all.get(query_id)),
      ['SELECT 1', 'SELECT 2'],
    );
    const before = (await requestsTo(`/v1/query/saved-queries/${made[0]?.query_id ?? ''}`)).length;
    assert.deepEqual([...new Set((await texts(0)).values())], [undefined]);
    assert.equal((await requestsTo(`/v1/query/saved-queries/${made[0]?.query_id ?? ''}`)).length, before);
  });

  test('texts that came with the list are not requested again', async () => {
    const made = await createQuery(client, 'SELECT 7 AS listed');
    const window = view();
    window.connect();
    await window.settled();
    assert.equal(window.known.textOf(made.query_id), 'SELECT 7 AS listed');
    const all = await Array.fromAsync(window.known.withTexts());
    assert.equal(all.find((each) => each.query.query_id === made.query_id)?.text, 'SELECT 7 AS listed');
    assert.equal((await requestsTo(`/v1/query/saved-queries/${made.query_id}`)).length, 0);
  });

  test('a screen reader hears the number of saved queries in a group', () => {
    const spoken = (count: number) =>
      groupItem(
        { kind: 'group', key: 'author:ana' },
        { kind: 'author', key: 'author:ana', label: 'ana', count, groups: [], rows: [] },
        false,
      ).accessibilityInformation?.label;
    assert.equal(spoken(1), 'ana, 1 saved query');
    assert.equal(spoken(2), 'ana, 2 saved queries');
  });

  test('the failure of a service is shown, and known queries stay', async () => {
    const window = view();
    window.connect();
    await window.settled();
    const known = window.store.size;
    await setFaults([{ path: '/v1/query/saved-queries', always: { kind: 'drop' } }]);
    await window.store.refresh();
    await window.settled();
    assert.equal((await window.labels())[0], 'Try Again');
    const [row] = await window.childrenOf();
    assert.ok(row);
    const { tooltip, command } = window.itemOf(row);
    assert.match(typeof tooltip === 'string' ? tooltip : '', /http/);
    assert.equal(command?.command, commands.savedQueriesRefresh);
    assert.equal(window.store.size, known);
    const { state } = window.store;
    assert.ok(state.kind === 'failed');
    assert.equal(state.short, "The service can't be reached.");
  });

  test('known queries stay after a refused sign-in, and while the same connection is tried again', async () => {
    const made = await createQuery(client);
    const window = view();
    window.connect();
    await window.settled();
    window.arrangement.set({ grouping: 'none', filter: made.name });
    const failed = (profile: ConnectionProfile): ConnectionState => ({
      kind: 'failed',
      profile,
      reason: 'Sign-in failed.',
      failure: 'secret',
      actions: [{ title: 'Enter Client Secret...', command: commands.connectionUpdateSecret }],
      isAuthFailure: true,
      mayPass: false,
    });
    await window.change(failed(window.profile));
    assert.deepEqual(await window.labels(), ['Enter Client Secret...', 'Connect Again', made.name]);
    await window.change({ kind: 'connecting', profile: window.profile });
    assert.deepEqual(await window.labels(), [made.name]);
    window.connect();
    await new Promise(setImmediate);
    assert.deepEqual(await window.labels(), [made.name]);
    await window.settled();
    assert.deepEqual(await window.labels(), [made.name]);
    await window.change(failed({ ...window.profile, clientId: 'other' }));
    assert.deepEqual((await window.labels()).slice(0, 2), ['Enter Client Secret...', 'Connect Again']);
    assert.equal(window.store.size, 0, 'the queries of another connection');
  });

  test('above the rows, a failure is one short sentence, however much the service says', () => {
    const said = 'The database is being moved. '.repeat(20);
    const error = (status: number) =>
      new ServerFaultError(`https://service.example failed (${status}). ${said}`, {
        code: 'X',
        status,
        retryable: true,
      });
    const connected = { kind: 'connected' };
    const away = { reason: error(503).message, short: shortFailure(error(503)) };
    assert.equal(
      failureMessage({ state: connected, away }),
      'The service is not available (503). You are seeing earlier data.',
    );
    const [row] = awayRows(away.reason);
    assert.ok(row?.tooltip?.includes(said.trim()), 'the rest is in the tooltip');
    const failed = { kind: 'failed', reason: away.reason };
    assert.ok((failureMessage({ state: failed, away: undefined })?.length ?? 0) < 200);
    const refused = { state: { kind: 'failed', reason: 'Sign-in failed.' }, away: undefined };
    assert.equal(failureMessage(refused), 'Sign-in failed.');
    assert.equal(failureMessage(refused, true), 'Sign-in failed. You are seeing earlier data.');
    assert.equal(failureMessage({ state: connected, away: undefined }), undefined);
    assert.equal(shortFailure(error(500)), 'The service failed (500).');
    const limit = new RateLimitError(said, {
      code: 'X',
      status: 429,
      retryable: true,
      retryAfterMs: 5_000,
      serviceMessage: said,
    });
    assert.match(shortFailure(limit), /^The service limits requests\. Try again in 5 seconds, at .{5,30}\.$/);
    const page = new ContractError(said, { status: 200 });
    assert.equal(shortFailure(page), 'The response is not one of the service.');
  });
});
