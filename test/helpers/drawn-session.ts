/**
 * One session against a drawn service, over the command line, the core that the editor uses, and an agent's tools. The
 * service knows the truth; every difference is a breach of one of the six invariants:
 *
 * 1. nothing that the service gave is missing without being told as missing;
 * 2. no control passes, and no result is called complete, unless all rows were read;
 * 3. nothing is reported as unknown that exists;
 * 4. no write is sent twice, none is lost;
 * 5. what cannot be had is told in words that are true of this service;
 * 6. the three ways in agree.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { RejectedError } from '#api/client/errors.ts';
import { jsonText } from '#api/client/json.ts';
import type { PageToken } from '#api/contract/lists.ts';
import { AgentSession } from '#core/agents/agent-session.ts';
import { auditFileIn } from '#core/agents/audit/audit-file.ts';
import { AuditLog } from '#core/agents/audit/audit-log.ts';
import { callRateIn } from '#core/agents/call-rate.ts';
import { QueryChecks } from '#core/agents/query-checks.ts';
import { refusalsIn } from '#core/agents/refusals.ts';
import type { Answer } from '#core/agents/tools/tool.ts';
import { ChangeRun } from '#core/changes/change-run.ts';
import { createChangeService } from '#core/changes/change-service.ts';
import type { Confirmation } from '#core/changes/change.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { environmentConnection } from '#core/connections/environment-connection.ts';
import { openExport } from '#core/exports/ask-export.ts';
import { ExportStore } from '#core/exports/export-store.ts';
import { linkEndOf } from '#core/exports/link-end.ts';
import { readCatalogue } from '#core/models/read-schema.ts';
import { runCreate } from '#core/saved-queries/run-create.ts';
import { runSave } from '#core/saved-queries/run-save.ts';
import { settledOn } from '#core/saved-queries/save-machine.ts';
import { StoredForm } from '#core/saved-queries/stored-text.ts';
import { accountCount, startDrawn, type RunningDrawn } from '../service/drawn/drawn-service.ts';
import { deviationsOf, mayWrite, type Service } from '../service/drawn/space.ts';
import { playSync } from './drawn-sync.ts';
import { memoryAt } from './memory.ts';
import { runInProcess } from './run-in-process.ts';

export interface Breach {
  readonly invariant: 1 | 2 | 3 | 4 | 5 | 6;
  readonly what: string;
}

/** Collections of the command line, with the paths of the service. */
const recordCollections = {
  accounts: 'accounts',
  roles: 'roles',
  accountRoles: 'account-roles',
  authenticators: 'authenticators',
  authenticatorEnrollments: 'authenticator-enrollments',
  activities: 'activities',
  accessAssignments: 'entity-assigned-access-to-object',
  personIsEmployee: 'person-is-employee',
} as const;

/** Words that are wrong about an operation that the service does not offer. */
const falseWords =
  /may have been deleted|ask for the (?:read|write) scope|unexpected error|update the client secret|access token/i;
const offeredWords = /does not|has no|not offer|cannot|no list|not support|no such operation/i;

export const steps = [
  'models',
  'runs',
  'controls',
  'saved',
  'records',
  'exports',
  'creates',
  'sync',
  'changes',
  'agent',
  'doctor',
] as const;
export type Step = (typeof steps)[number];

/** @param played only these steps of the session; all by default. */
export async function breachesOf(
  service: Service,
  played: readonly Step[] = steps,
): Promise<readonly Breach[]> {
  const running = await startDrawn(service);
  const folder = await mkdtemp(path.join(tmpdir(), 'drawn-'));
  const session = new DrawnSession(running, folder);
  try {
    await session.play(played);
  } catch (error) {
    session.breaches.push({ invariant: 5, what: `the session ended: ${String((error as Error).stack)}` });
  } finally {
    await session.end();
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return session.breaches;
}

export function lineOf(service: Service, breaches: readonly Breach[]): string {
  const told = breaches.map(({ invariant, what }) => `[${invariant}] ${what}`).join('; ');
  return `${told}\n    ${deviationsOf(service).join(' ') || 'plain'}`;
}

class DrawnSession {
  readonly breaches: Breach[] = [];
  readonly #running: RunningDrawn;
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #client: ServiceClient;
  readonly #ends: (() => Promise<unknown>)[] = [];

  constructor(running: RunningDrawn, folder: string) {
    this.#running = running;
    this.#folder = folder;
    const { baseUrl, authUrl, clientId, clientSecret } = running;
    this.#environment = {
      PATH: process.env['PATH'],
      XDG_CONFIG_HOME: path.join(folder, 'home'),
      XDG_DATA_HOME: path.join(folder, 'data'),
      IDENTITY_QUERIES_BASE_URL: baseUrl,
      IDENTITY_QUERIES_AUTH_URL: authUrl,
      IDENTITY_QUERIES_CLIENT_ID: clientId,
      IDENTITY_QUERIES_CLIENT_SECRET: clientSecret,
    };
    this.#client = createClient({ baseUrl, authUrl, clientId, clientSecret });
    this.#ends.push(() => this.#client.close());
  }

  async end(): Promise<void> {
    for (const end of this.#ends) await end();
  }

  async play(played: readonly Step[]): Promise<void> {
    await this.#signIn();
    const all: Readonly<Record<Step, () => Promise<void>>> = {
      models: () => this.#models(),
      runs: () => this.#runs(),
      controls: () => this.#controls(),
      saved: () => this.#savedQueries(),
      records: () => this.#records(),
      exports: () => this.#exports(),
      creates: () => this.#creates(),
      sync: () => this.#sync(),
      changes: () => this.#changes(),
      agent: () => this.#agent(),
      doctor: () => this.#doctor(),
    };
    for (const step of steps) if (played.includes(step)) await all[step]();
  }

  /** A service may have several disturbances at the start; a person tries again, unless told that it is in vain. */
  async #signIn(): Promise<void> {
    for (let tries = 0; tries < 3; tries += 1) {
      const { code, stderr } = await this.#cli('models');
      if (code === 0) return;
      if (!/again/i.test(stderr) || falseWords.test(stderr)) this.#breach(5, `sign-in: ${oneLine(stderr)}`);
    }
  }

  #breach(invariant: Breach['invariant'], what: string): void {
    this.breaches.push({ invariant, what });
  }

  async #cli(...args: readonly string[]) {
    return await this.#cliIn(this.#folder, ...args);
  }

  async #cliIn(cwd: string, ...args: readonly string[]) {
    return await runInProcess(args, { cwd, environment: this.#environment });
  }

  /** What cannot be had must be told in words that are true of this service. */
  #requireAbsentWords(what: string, text: string): void {
    if (falseWords.test(text) || !offeredWords.test(text)) this.#breach(5, `${what}: ${oneLine(text)}`);
  }

  async #models(): Promise<void> {
    const { models, service } = this.#running;
    const listed = await this.#cli('models', '--json');
    if (listed.code !== 0) {
      this.#breach(1, `models: ${oneLine(listed.stderr)}`);
      return;
    }
    const told = JSON.parse(listed.stdout) as {
      models: { name: string; isAssumed?: boolean; tables?: { name: string }[] }[];
    }; // the command's own format
    const names = told.models.map(({ name }) => name);
    if (names.join() !== models.join())
      this.#breach(1, `models: ${names.join()} instead of ${models.join()}`);
    if ((service.models === 'one-bad') !== /Not all models could be read/.test(listed.stderr))
      this.#breach(1, `models: ${oneLine(listed.stderr)}`);
    const identity = told.models.find(({ name }) => name === 'platform_identity');
    const tables = new Set((identity?.tables ?? []).map(({ name }) => name));
    const isRead = this.#isRun && service.schema !== 'refused' && service.schema !== 'empty';
    if (identity?.tables === undefined && isRead) this.#breach(1, 'models: no tables of platform_identity');
    // A part of the tables may be told only as a part.
    if (identity?.tables !== undefined && !tables.has('roles')) this.#breach(1, 'models: tables are missing');
    const catalogue = await readCatalogue(this.#client, { signal: new AbortController().signal });
    if (catalogue.map(({ name }) => name).join() !== models.join())
      this.#breach(6, 'models of the core differ');
    // The columns of the last table, which is on a later page.
    await writeFile(
      path.join(this.#folder, 'known.identity.sql'),
      'SELECT person_is_employee.global_id, r.name FROM person_is_employee JOIN roles r ON true\n',
    );
    if (service.records !== 'ids-only') {
      const checked = await this.#cli('check', 'known.identity.sql', '--connection', 'Environment');
      if (/UNKNOWN_/.test(checked.stdout)) this.#breach(3, `check: ${oneLine(checked.stdout)}`);
      if (checked.code === 2) this.#breach(5, `check: ${oneLine(checked.stderr)}`);
      const isChecked = identity?.tables !== undefined && identity.isAssumed !== true;
      if (isChecked === /platform_identity: .*not checked/.test(checked.stderr))
        this.#breach(
          isChecked ? 5 : 1,
          `check of names that are ${isChecked ? '' : 'not '}known: ${oneLine(checked.stderr)}`,
        );
    }
  }

  async #runs(): Promise<void> {
    const { service } = this.#running;
    const [one] = this.#running.saved.held.values();
    const ran = await this.#cli('run', '--saved', one?.query_id ?? '', '--json');
    if (service.execute === 'there') await this.#positions();
    if (!this.#isRun) {
      if (ran.code === 0) this.#breach(2, 'run: exit code 0 without rows that can be read');
      else if (service.execute === 'absent') this.#requireAbsentWords('run', ran.stderr);
      return;
    }
    await this.#values();
    await this.#limited(one?.query_id ?? '');
    const isPaged = this.#isReadToItsEnd;
    if (ran.code !== 0) {
      // Rows that are surely missing end a run with an error, which must say how paging is examined.
      const told = `reports ${accountCount} rows, but sent only \\d+: .*run: identity-queries doctor`;
      const isAgain = this.#isPagedUntold && /sent the same page|no member pageToken/.test(ran.stderr);
      const isToldShort = isAgain || new RegExp(told, 's').test(ran.stderr);
      if (isPaged || !isToldShort) this.#breach(1, `run: ${oneLine(ran.stderr)}`);
      return;
    }
    const rows = JSON.parse(ran.stdout) as unknown[]; // the command's own format
    const isToldPart = /more|perhaps|may|incomplete/i.test(ran.stderr);
    if (rows.length < accountCount && !isToldPart)
      this.#breach(
        2,
        `run: ${rows.length} of ${accountCount} rows, called complete (${oneLine(ran.stderr)})`,
      );
    if (rows.length > accountCount) this.#breach(1, `run: ${rows.length} rows instead of ${accountCount}`);
    if (rows.length < accountCount && isPaged)
      this.#breach(1, `run: ${rows.length} rows, although there are pages`);
  }

  /** A run with a limit has no row twice, also where its last page is smaller. */
  async #limited(id: string): Promise<void> {
    const { stdout, stderr } = await this.#cli('run', '--saved', id, '--limit', '9', '--json');
    const rows = (parsed(stdout) as unknown[] | undefined) ?? []; // the command's own format
    const ids = new Set(rows.map((row) => JSON.stringify(row)));
    if (ids.size < rows.length || rows.length > 9)
      this.#breach(1, `run with a limit: ${ids.size} of ${rows.length} rows are others`);
    if (rows.length < 9 && this.#isReadToItsEnd)
      this.#breach(1, `run with a limit: ${rows.length} rows (${oneLine(stderr)})`);
  }

  /** The mistake is at line 2, column 15, after a character of two UTF-16 units. */
  async #positions(): Promise<void> {
    const error: unknown = await this.#client.queries
      .execute({ query_string: "SELECT '\u{1f4a5}'\nFROM accounts )" })
      .catch((caught: unknown) => caught);
    const position = error instanceof RejectedError ? error.position : undefined;
    if (position?.line !== 2 || position.column !== 15)
      this.#breach(5, `position: ${JSON.stringify(position)} ${oneLine(String(error))}`);
  }

  /** A query with values finds its rows, or says that it may not have. */
  async #values(): Promise<void> {
    const { service } = this.#running;
    const ask = async (where: string, parameters: Readonly<Record<string, string | string[]>>) => {
      const ids: string[] = [];
      const request = { query_string: `SELECT global_id FROM accounts ${where}`, parameters };
      try {
        let isTold = false;
        let pages = 0;
        let pageToken: PageToken | undefined;
        do {
          const page = await this.#client.queries.execute({ ...request, pageToken });
          ids.push(...page.rows.map(([id]) => String(parsed(jsonText(id)))));
          isTold ||= page.isPerhapsPartial === true || page.toldRows === Infinity;
          pageToken = page.nextPageToken;
        } while (pageToken !== undefined && (pages += 1) < 20);
        return { found: ids.join(' '), isTold };
      } catch (error) {
        return { found: oneLine(String(error)), isTold: true };
      }
    };
    const [one, other] = this.#accountIds;
    for (const [where, parameters, expected] of [
      ['WHERE global_id = :id', { id: one }, one],
      ['WHERE global_id IN (:ids)', { ids: [other, one] }, `${one} ${other}`],
    ] as const) {
      const { found, isTold } = await ask(where, parameters as Readonly<Record<string, string | string[]>>); // written above
      if (found === expected) continue;
      if (!isTold) this.#breach(2, `values: ${found} instead of ${expected}`);
      if (service.boundValues.startsWith('used') && this.#isFound)
        this.#breach(1, `values: ${found} instead of ${expected}`);
    }
  }

  /** IDs of two accounts, in their order. */
  get #accountIds(): readonly [string, string] {
    const [one, , other] = this.#running.records('accounts').map((row) => String(row['globalId']));
    return [one ?? '', other ?? ''];
  }

  async #controls(): Promise<void> {
    const { service } = this.#running;
    // The truth: 23 rows, so the control fails; and one that must not fail.
    await writeFile(
      path.join(this.#folder, 'fails.identity.sql'),
      '-- @control F-1 Few accounts\n-- @error_if rows > 15\nSELECT global_id FROM accounts\n',
    );
    await writeFile(
      path.join(this.#folder, 'passes.identity.sql'),
      `-- @control P-1 All accounts\n-- @error_if rows < ${accountCount}\nSELECT global_id FROM accounts\n`,
    );
    // It passes only where it is sure that there are no more rows.
    await writeFile(
      path.join(this.#folder, 'sure.identity.sql'),
      `-- @control S-1 No more accounts\n-- @error_if rows > ${accountCount}\nSELECT global_id FROM accounts\n`,
    );
    // The truth: one row, and two.
    const [one, other] = this.#accountIds;
    await writeFile(
      path.join(this.#folder, 'value.identity.sql'),
      `-- @control V-1 No such account\n-- @param id text = '${one}'\n-- @error_if rows > 0\nSELECT global_id FROM accounts WHERE global_id = :id\n`,
    );
    await writeFile(
      path.join(this.#folder, 'list.identity.sql'),
      `-- @control V-2 One of two\n-- @param ids text[] = '${other}, ${one}'\n-- @error_if rows > 1\nSELECT global_id FROM accounts WHERE global_id IN (:ids)\n`,
    );
    const files = ['fails', 'passes', 'sure', 'value', 'list'].map((name) => `${name}.identity.sql`);
    const ran = await this.#cli('controls', 'run', ...files, '--json');
    const told = parsed(ran.stdout) as
      | { results?: { id: string; outcome: string; message: string }[] }
      | undefined;
    if (told?.results === undefined) {
      this.#breach(5, `controls: ${oneLine(ran.stderr)}`);
      return;
    }
    for (const { id, outcome, message } of told.results) {
      if (id === 'F-1' && outcome === 'pass') this.#breach(2, 'controls: F-1 passes');
      if (id === 'P-1' && outcome === 'fail') this.#breach(2, 'controls: P-1 fails');
      if (id === 'S-1' && outcome === 'fail') this.#breach(2, 'controls: S-1 fails');
      if (id === 'S-1' && outcome === 'pass' && this.#isCutUntold) this.#breach(2, 'controls: S-1 passes');
      if (id === 'S-1' && outcome === 'error' && this.#isReadToItsEnd)
        this.#breach(1, `controls: S-1 ${oneLine(message)}`);
      if (id.startsWith('V') && outcome === 'pass') this.#breach(2, `controls: ${id} passes`);
      if (id.startsWith('V') && outcome === 'error' && this.#isFound && service.boundValues === 'used')
        this.#breach(1, `controls: ${id} ${oneLine(message)}`);
      // One row of one column is the same in either shape.
      const isReadable = this.#isRun || (service.execute === 'there' && id === 'V-1');
      if (!isReadable && outcome !== 'error') this.#breach(2, `controls: ${outcome} without rows`);
      if (service.execute === 'absent' && outcome === 'error') this.#requireAbsentWords('controls', message);
    }
  }

  async #savedQueries(): Promise<void> {
    const { service, saved } = this.#running;
    const [one] = saved.held.values();
    if (one === undefined) return;
    const listed = await this.#cli('saved', 'list', '--json');
    if (service.savedList === 'there') {
      const told = parsed(listed.stdout) as { savedQueries?: unknown[] } | undefined; // the command's own format
      const queries = told?.savedQueries;
      const isLeftOutTold =
        service.savedEntry === 'sound' || /could not be read|left out/i.test(listed.stderr);
      if (this.#isListedInPart) {
        if (!/more entries/.test(listed.stderr))
          this.#breach(2, `saved list: a part without a word (${oneLine(listed.stderr)})`);
      } else if (queries?.length !== saved.held.size)
        this.#breach(
          1,
          `saved list: ${queries?.length ?? 'none'} of ${saved.held.size} (${oneLine(listed.stderr)})`,
        );
      else if (!isLeftOutTold) this.#breach(1, 'saved list: an entry is left out without a word');
    } else this.#requireAbsentWords('saved list', listed.stderr + listed.stdout);
    const byId = await this.#cli('saved', 'show', one.query_id);
    if (byId.stdout !== one.query_string && byId.stdout.trimEnd() !== one.query_string)
      this.#breach(1, `saved show ID: ${oneLine(byId.stderr)}`);
    const byName = await this.#cli('saved', 'show', one.name);
    if (service.savedList === 'there' && byName.code !== 0)
      this.#breach(1, `saved show NAME: ${oneLine(byName.stderr)}`);
    if (service.savedList === 'absent' && byName.code !== 0)
      this.#requireAbsentWords('saved show NAME', byName.stderr);
    const none = await this.#cli('saved', 'show', '00000000-0000-4000-8000-000000000000');
    if (none.code === 0 || !/no saved query/i.test(none.stderr))
      this.#breach(5, `saved show of nothing: ${oneLine(none.stderr)}`);
  }

  async #records(): Promise<void> {
    const { service } = this.#running;
    for (const [name, collection] of Object.entries(recordCollections)) {
      const read = await this.#cli('records', name, '--json');
      const isAbsent =
        service.otherLists === 'absent' && (name === 'accountRoles' || name === 'authenticatorEnrollments');
      if (isAbsent) {
        if (read.code === 0) this.#breach(1, `records ${name}: exit code 0`);
        else this.#requireAbsentWords(`records ${name}`, read.stderr);
        continue;
      }
      const rows = parsed(read.stdout) as unknown[] | undefined;
      const isUndescribed = name === 'accountRoles' || name === 'authenticatorEnrollments';
      const expected = this.#running.records(collection);
      if (isUndescribed && this.#isListedInPart && expected.length > 7) {
        if (!/may have more/.test(read.stderr))
          this.#breach(2, `records ${name}: a part without a word (${oneLine(read.stderr)})`);
      } else if (read.code !== 0 || rows?.length !== expected.length)
        this.#breach(1, `records ${name}: ${rows?.length ?? 'no'} rows (${oneLine(read.stderr)})`);
      else {
        const ids = new Set(rows.map((row) => JSON.stringify(row).includes.bind(JSON.stringify(row))));
        const isMissing = expected.some((row) => ![...ids].some((has) => has(String(row['globalId']))));
        if (isMissing) this.#breach(1, `records ${name}: a record is missing`);
      }
    }
    const [role] = this.#running.records('roles');
    const byId = await this.#cli('record', String(role?.['globalId']));
    if (byId.code !== 0 || !byId.stdout.includes(String(role?.['globalId'])))
      this.#breach(1, `record: ${oneLine(byId.stderr)}`);
    const none = await this.#cli('record', '00000000-0000-4000-8000-000000000000');
    if (none.code === 0 || falseWords.test(none.stderr)) this.#breach(5, `record: ${oneLine(none.stderr)}`);
    const links = await this.#cli('records', 'enrollmentViaAuthenticator', '--json');
    const found = parsed(links.stdout) as unknown[] | undefined;
    if (found?.length !== this.#running.links.length)
      this.#breach(1, `records of links: ${oneLine(links.stderr)}`);
  }

  async #exports(): Promise<void> {
    const { service } = this.#running;
    const save = () => this.#cli('export', 'employees', '--out', 'employees.csv', '--json');
    const first = await save();
    // An export may have been begun by a request that failed, so it is a person who tries again.
    const saved = /try again (?:later|in \d+ seconds)/.test(first.stderr) ? await save() : first;
    if (service.createExports === 'there') {
      const hasFailed = service.exportOutcome === 'failed';
      const isGone = service.exportLink === 'gone' && !hasFailed;
      if (hasFailed && (saved.code === 0 || !/did not answer/.test(saved.stderr)))
        this.#breach(5, `export that failed: ${oneLine(saved.stderr)}`);
      if (isGone && !/expired/.test(saved.stderr)) this.#breach(5, `export: ${oneLine(saved.stderr)}`);
      if (!isGone && !hasFailed && saved.code !== 0) this.#breach(1, `export: ${oneLine(saved.stderr)}`);
    } else this.#requireAbsentWords('export', saved.stderr);
    const profile = this.#profile();
    const store = new ExportStore(memoryAt(path.join(this.#folder, 'exports')));
    const known = await openExport({ client: this.#client, profile, store }, this.#running.exportId);
    const isExpired = (linkEndOf(known) ?? Infinity) <= Date.now();
    const hasFailed = service.exportOutcome === 'failed';
    if (hasFailed !== (known.status === 'failed')) this.#breach(5, `export of the core: ${known.status}`);
    if (!hasFailed && isExpired !== (service.exportLink === 'gone'))
      this.#breach(5, `export of the core: ${isExpired ? 'expired' : 'ready'}`);
  }

  /** A query that the service stores in its own form, whose answer may be lost. */
  async #creates(): Promise<void> {
    const { service, saved } = this.#running;
    const text = 'SELECT alias -- cafe\u0301\nFROM accounts\n';
    const draft = { name: 'Drawn', query_string: text, model: 'platform_identity', description: '' };
    const before = saved.created;
    const made = await runCreate({ kind: 'open', attempts: [] }, draft, { client: this.#client });
    if (!mayWrite(service)) {
      if (saved.created !== before) this.#breach(4, 'create: sent without the scope');
      if (made.effect?.kind === 'done') this.#breach(4, 'create: done without the scope');
      return;
    }
    // A person tries once more where the outcome was not known.
    const again =
      made.effect?.kind === 'done' ? made : await runCreate(made.state, draft, { client: this.#client });
    const record = again.effect?.kind === 'done' ? again.effect.record : undefined;
    if (saved.created !== before + 1)
      this.#breach(4, `create: ${saved.created - before} queries of one draft`);
    if (record === undefined) {
      const isFound = again.effect?.kind === 'ask' || again.effect?.kind === 'keep';
      if (!isFound || service.lostCreate === 'no')
        this.#breach(4, `create: ${JSON.stringify(again.effect)} ${String(again.error)}`);
      else if (service.savedList === 'there' && !this.#isListedInPart)
        this.#breach(4, 'create: its outcome is not found');
      return;
    }
    const outcome = await runSave(
      settledOn(record),
      { kind: 'save', mine: { ...draft, query_string: `${text}LIMIT 1\n` } },
      {
        client: this.#client,
        stored: new StoredForm(),
        labels: () => ({ mine: '', theirs: '' }),
        onRecord: () => undefined,
      },
    );
    if (service.updates === 'absent') {
      if (outcome?.effect.kind === 'saved') this.#breach(4, 'save: saved without updates');
    } else if (outcome?.effect.kind !== 'saved')
      this.#breach(4, `save: ${JSON.stringify(outcome?.effect)} ${String(outcome?.error)}`);
    // A conflict: somebody else saved in the meantime.
    const stale = await this.#client.savedQueries
      .update(record.query_id, { ...draft, query_string: 'SELECT 2', expected_version: record.version })
      .then(
        () => 'taken',
        (error: unknown) => (error as { status?: number }).status,
      );
    if (stale === 'taken') this.#breach(4, 'save: a stale version was taken');
  }

  /** No page of a result tells how to ask for the next one. */
  get #isCutUntold(): boolean {
    return ['truncated', 'silent', 'link-header'].includes(this.#running.service.paging);
  }

  /** Queries have results, in a form that can be read. */
  get #isRun(): boolean {
    const { execute, rowShape } = this.#running.service;
    return execute === 'there' && rowShape !== 'columns';
  }

  /** The first rows of a result are read, whatever its pages are. */
  get #isFound(): boolean {
    return this.#isRun && (this.#running.service.resultPages === 'full' || this.#isReadToItsEnd);
  }

  /** Everything of a result is surely read: its pages can be learned. */
  get #isReadToItsEnd(): boolean {
    const { values, resultPages, pageSize, paging, flags, strictBody } = this.#running.service;
    // Names that are not known are learned from pages of one row, each with its row.
    const isLearned = resultPages === 'full' && pageSize !== 'refused-below-5';
    // No question for a page of one row is answered there, so that only pages that are plain show how they follow.
    const isPlain = resultPages === 'full' && flags === 'none';
    const isUnasked = pageSize === 'refused-below-5' && strictBody === 'strict' && !isPlain;
    const isAssumed = (paging === 'camel' || paging === 'till-empty') && !isUnasked;
    return this.#isRun && values === 'there' && !this.#isCutUntold && (isLearned || isAssumed);
  }

  /** Nothing shows under which name the next page of a result is asked for. */
  get #isPagedUntold(): boolean {
    return this.#running.service.paging === 'renamed' && !this.#isReadToItsEnd;
  }

  /** Nothing of the list tells how to ask for its next page. */
  get #isListedInPart(): boolean {
    return this.#running.service.otherPaging === 'total-alone';
  }

  /** Whether all entries of the list can be read, with their text. */
  get #isListSound(): boolean {
    const { savedEntry, savedText } = this.#running.service;
    return savedEntry === 'sound' && savedText === 'listed';
  }

  #profile(): ConnectionProfile {
    const profile = environmentConnection(this.#environment)?.profile;
    if (profile === undefined) throw new Error('The environment has no connection.');
    return profile;
  }

  async #sync(): Promise<void> {
    await playSync({
      running: this.#running,
      folder: this.#folder,
      profile: this.#profile(),
      cli: (cwd, ...args) => this.#cliIn(cwd, ...args),
      breach: (invariant, what) => this.#breach(invariant, what),
      requireAbsentWords: (what, text) => this.#requireAbsentWords(what, text),
    });
  }

  async #changes(): Promise<void> {
    const { service, jobs } = this.#running;
    const [account] = this.#running.records('accounts');
    const confirmation = (id: string): Confirmation => ({
      id,
      kind: 'disable-account',
      connectionKey: 'key',
      connection: 'Drawn',
      clientId: 'drawn-client',
      confirmedAt: 0,
      targets: [
        {
          operation: { kind: 'disable-account', account: String(account?.['globalId']) },
          label: 'One',
          state: { kind: 'waiting' },
        },
      ],
    });
    let now = 0;
    const runOf = (id: string) =>
      new ChangeRun(confirmation(id), {
        service: createChangeService(this.#client),
        save: () => Promise.resolve(),
        changed: () => undefined,
        words: {
          stopped: 'stopped',
          restarted: 'restarted',
          noSuchData: 'no such data',
          noSuchJob: 'no such job',
          unfollowed: 'unfollowed',
          followedTooLong: 'followed too long',
        },
        now: () => now,
        pause: (ms) => {
          now += ms;
          return Promise.resolve();
        },
      });
    let run = runOf('one');
    await run.run(new AbortController().signal);
    // A change that a service could not take is sent again only by a person who confirms it again.
    const first = run.confirmation.targets[0]?.state;
    if (first !== undefined && 'response' in first && first.response === 503) {
      run = runOf('two');
      await run.run(new AbortController().signal);
    }
    const state = run.confirmation.targets[0]?.state;
    if (!mayWrite(service)) {
      if (jobs.accepted > 0 || (state?.kind !== 'refused' && state?.kind !== 'not-sent'))
        this.#breach(4, `change: ${state?.kind} without the scope`);
      return;
    }
    if (jobs.accepted !== 1) this.#breach(4, `change: accepted ${jobs.accepted} times`);
    if (service.lostWrite === 'change') {
      if (state === undefined || !/^(?:found-changed|found-unchanged|unknown)$/.test(state.kind))
        this.#breach(4, `change without an answer: ${JSON.stringify(state)}`);
      return;
    }
    if (state?.kind !== 'ended') this.#breach(1, `change: ${JSON.stringify(state)}`);
    else if (service.jobs === 'absent') {
      // The service's own 404 can also mean this job.
      const isTold = service.absence !== '404' || service.errorBody !== 'envelope';
      if (isTold) this.#requireAbsentWords('change', state.problem ?? '');
    } else {
      if (state.problem === 'followed too long') this.#breach(1, 'change: its end is not seen');
      const [target] = state.job?.targets ?? [];
      if (service.jobOutcome === 'failed' && target?.outcome === 'changed')
        this.#breach(2, `change: what failed is told as changed ${JSON.stringify(state.job)}`);
      const isRaw = state.job?.unknown !== undefined;
      if (service.jobWords === 'reflected-in-graph' && !isRaw)
        this.#breach(1, 'change: members of the job that are not understood are dropped');
    }
  }

  async #agent(): Promise<void> {
    const { service, saved, models } = this.#running;
    const memory = memoryAt(path.join(this.#folder, 'agent'));
    const session = new AgentSession({
      host: {
        connection: () => ({
          name: 'Drawn',
          key: this.#running.baseUrl,
          folder: this.#folder,
          level: 'select',
          limits: { maxRows: 100, maxBytes: 200_000, callsPerMinute: 120 },
          sensitivePatterns: [],
          service: () => Promise.resolve(this.#client),
          knownQueryIds: () => Promise.resolve([...saved.held.keys()].slice(0, 1)),
          catalogue: async () => ({
            models: await readCatalogue(this.#client, { signal: new AbortController().signal }),
          }),
        }),
        propose: () => Promise.resolve(''),
      },
      checks: agentChecks(),
      audit: new AuditLog(auditFileIn(memory.folder)),
      rate: callRateIn(memory),
      refusals: refusalsIn(memory),
    });
    const call = async (tool: string, input: object): Promise<Answer & Record<string, unknown>> =>
      (await session.call(tool, input, {
        client: 'test',
        signal: new AbortController().signal,
      })) as Answer & Record<string, unknown>; // members depend on the tool
    const listed = await call('list_models', {});
    const names = (listed['models'] as { name: string }[] | undefined)?.map(({ name }) => name) ?? [];
    if (names.join() !== models.join())
      this.#breach(6, `agent: models ${JSON.stringify(listed).slice(0, 200)}`);
    const queries = await call('list_saved_queries', {});
    if (service.savedList === 'there') {
      const count = (queries['queries'] as unknown[] | undefined)?.length;
      if (this.#isListedInPart) {
        if (queries.status === 'complete') this.#breach(2, 'agent: a part of the list is called complete');
      } else if (count !== saved.held.size)
        this.#breach(6, `agent: ${count ?? 'no'} saved queries ${queries.reason ?? ''}`);
      if (service.savedEntry !== 'sound' && queries.status === 'complete')
        this.#breach(1, 'agent: a saved query is left out without a word');
    } else if (queries.status === 'complete') this.#breach(2, 'agent: a list that is not there is complete');
    else if ((queries['queries'] as unknown[] | undefined)?.length !== 1)
      this.#breach(6, `agent: a known saved query is not listed ${queries.reason ?? ''}`);
    else this.#requireAbsentWords('agent: saved queries', `${queries.reason ?? ''} ${queries.advice ?? ''}`);
    const [one] = saved.held.values();
    const shown = await call('get_saved_query', { id: one?.query_id ?? '' });
    if (shown['sql'] !== one?.query_string)
      this.#breach(6, `agent: get_saved_query ${JSON.stringify(shown).slice(0, 200)}`);
    const ran = await call('run_query', { sql: 'SELECT global_id FROM accounts' });
    if (!this.#isRun) {
      if (ran.status !== 'refused') this.#breach(2, 'agent: run_query is not refused');
      // A gateway's 403 that looks like the service's own may be told as what it says.
      else if (service.execute === 'absent' && service.absence !== '403')
        this.#requireAbsentWords('agent: run_query', `${ran.reason ?? ''} ${ran.advice ?? ''}`);
    } else if (ran.status === 'complete' && ran['rowCount'] !== accountCount)
      this.#breach(2, `agent: ${String(ran['rowCount'])} of ${accountCount} rows, called complete`);
    else if (
      ran.status === 'refused' &&
      // An agent gets none of the words about the page that came again, or the name that is refused.
      !(this.#isPagedUntold && /unexpected response|status 400/.test(ran.reason ?? ''))
    )
      this.#breach(1, `agent: run_query ${ran.code ?? ''} ${ran.reason ?? ''}`);
    const control = await call('run_control', {
      sql: '-- @control F-1 Few accounts\n-- @error_if rows > 15\nSELECT global_id FROM accounts',
    });
    if (control['outcome'] === 'pass') this.#breach(2, 'agent: the control passes');
  }

  async #doctor(): Promise<void> {
    const { service } = this.#running;
    const told = await this.#cli('doctor', '--json');
    const found = parsed(told.stdout) as { assumptions?: { id: string; verdict: string }[] } | undefined;
    if (found?.assumptions === undefined) {
      this.#breach(5, `doctor: ${oneLine(told.stderr)}`);
      return;
    }
    const verdictOf = (id: string) => found.assumptions?.find((each) => each.id === id)?.verdict;
    if (service.execute !== 'there' && verdictOf('execute') === 'holds')
      this.#breach(5, 'doctor: execute holds');
    if (service.paging !== 'camel' && verdictOf('execute-paging') === 'holds')
      this.#breach(5, 'doctor: the paging of results holds');
    // Where nothing disturbs the question, a list that can be read is one.
    if (service.savedList === 'there' && verdictOf('saved-query-list') === 'differs' && this.#isListSound)
      this.#breach(5, 'doctor: the list of saved queries differs');
    if (service.savedList === 'absent' && verdictOf('saved-query-list') === 'holds')
      this.#breach(5, 'doctor: the list of saved queries holds');
  }
}

/** As for an agent that meets many services: to start a thread that parses takes longer than a session. */
const agentChecks = (() => {
  let checks: QueryChecks | undefined;
  return () => (checks ??= new QueryChecks());
})();

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports it
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 240);
}
