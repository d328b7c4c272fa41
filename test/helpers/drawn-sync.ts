/**
 * Saved queries in Git against a drawn service: pull, plan, push, a colleague's edits, a conflict and a deletion. The
 * service knows what it holds; what it holds must be what was sent, once, and nothing else.
 */
import { readdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { serviceKeyOf, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import type { AskedOnce, RunningDrawn } from '../service/drawn/drawn-service.ts';
import type { Saved } from '../service/drawn/saved.ts';
import { mayWrite } from '../service/drawn/space.ts';
import type { CliOutcome } from './command-line.ts';
import { git, repositoryAt, type Clone } from './git-clone.ts';

export interface SyncWays {
  readonly running: RunningDrawn;
  readonly folder: string;
  readonly profile: ConnectionProfile;
  readonly cli: (cwd: string, ...args: readonly string[]) => Promise<CliOutcome>;
  readonly breach: (invariant: 1 | 2 | 3 | 4 | 5 | 6, what: string) => void;
  readonly requireAbsentWords: (what: string, text: string) => void;
}

export async function playSync(ways: SyncWays): Promise<void> {
  const folder = path.join(ways.folder, 'repository');
  await mkdir(folder);
  git(folder, 'init', '-q', '-b', 'main');
  const session = new SyncSession(ways, repositoryAt(folder));
  const first = await session.pulls();
  if (first === undefined) return;
  await session.pushes(first);
  if (!mayWrite(ways.running.service)) return;
  await session.colleagues(first);
  await session.deletes();
}

const mine = 'queries/mine';
const text = 'SELECT alias -- cafe\u0301\nFROM accounts\n';

/** Whether a request to the service, rather than to its token endpoint, asks for more than reading. */
function isWrite({ method, path: at }: AskedOnce): boolean {
  return method !== 'GET' && at.startsWith('/v1/') && !at.endsWith('/execute');
}

class SyncSession {
  readonly #ways: SyncWays;
  readonly #clone: Clone;

  constructor(ways: SyncWays, clone: Clone) {
    this.#ways = ways;
    this.#clone = clone;
  }

  /** @returns the query whose file is in the folder, and its file without the ending. */
  async pulls(): Promise<{ readonly id: string; readonly file: string } | undefined> {
    const { running, breach, requireAbsentWords } = this.#ways;
    const { service, saved } = running;
    const clone = this.#clone;
    const pulled = await this.#cli('pull');
    const told = pulled.stdout + pulled.stderr;
    const isPart = service.savedList === 'there' && service.otherPaging === 'total-alone';
    if (pulled.code !== 0 && !isPart) breach(1, `pull: ${oneLine(told)}`);
    const texts = new Map(this.#files().map((each) => [clone.read(each), each]));
    if (isPart) {
      if (!/more entries/.test(told)) breach(2, `pull of a part: ${oneLine(told)}`);
      return undefined;
    }
    if (texts.size !== (service.savedList === 'there' ? saved.held.size : 0))
      breach(1, `pull: ${texts.size} files (${oneLine(told)})`);
    if (service.savedList === 'absent') requireAbsentWords('pull', told);
    else if (service.savedEntry !== 'sound' && !/left out/.test(pulled.stderr))
      breach(1, 'pull: an entry is left out without a word');
    const [one] = saved.held.values();
    if (one === undefined) return undefined;
    if (service.savedList === 'absent') {
      // A colleague's file has the ID.
      const { query_id: id, name, query_string: sql, description } = one;
      clone.write('queries/one.identity.sql', sql);
      const key = serviceKeyOf(this.#ways.profile);
      clone.describe('one', { name, ids: { [key]: id }, ...(description && { description }) });
    }
    for (const { query_string: sql } of service.savedList === 'there' ? saved.held.values() : [])
      if (!texts.has(sql)) breach(1, `pull: no file has ${sql}`);
    clone.commit();
    const file = service.savedList === 'there' ? texts.get(one.query_string) : 'queries/one.identity.sql';
    return file === undefined ? undefined : { id: one.query_id, file };
  }

  /** A new query, and an edit. */
  async pushes({ id, file }: { readonly id: string; readonly file: string }): Promise<void> {
    const { running, breach, requireAbsentWords } = this.#ways;
    const { service, saved } = running;
    const clone = this.#clone;
    const before = this.#held();
    const created = saved.created;
    if (!mayWrite(service)) {
      const idle = await this.#cli('push');
      if (idle.code !== 0) breach(5, `push of nothing without the scope: ${oneLine(idle.stderr)}`);
    }
    const edited = `${saved.find(id).query_string}\nLIMIT 9`;
    clone.write(`${mine}.identity.sql`, text);
    clone.describe('mine', { name: 'Mine' });
    clone.write(file, edited);
    clone.commit();
    const planned = await this.#cli('plan', '--json', '--out', '../plan.json');
    if (planned.code !== 2) breach(5, `plan: ${planned.code} ${oneLine(planned.stderr)}`);
    if (!isDeepStrictEqual(this.#held(), before)) breach(4, 'plan: something was written');
    const sent = () => running.requests.filter(isWrite).length;
    const sentBefore = sent();
    const pushed = await this.#cli('push', '--plan', '../plan.json');
    const told = pushed.stdout + pushed.stderr;
    if (!mayWrite(service)) {
      if (!isDeepStrictEqual(this.#held(), before)) breach(4, 'push: written without the scope');
      if (pushed.code !== 1 || !/write scope/.test(told))
        breach(5, `push without the scope: ${oneLine(told)}`);
      if (sent() > sentBefore) breach(4, 'push without the scope: sent all the same');
      if (clone.git('status', '--porcelain') !== '') breach(4, 'push without the scope: files have changed');
      return;
    }
    // An answer that was lost is looked up, and a person tries once more where that is not possible.
    clone.commit();
    const again = await this.#cli('push');
    clone.commit();
    if (saved.created !== created + 1) breach(4, `push: ${saved.created - created} queries of one file`);
    const mines = [...saved.held.values()].filter(({ name }) => name === 'Mine');
    if (mines.length !== 1 || !isForm(mines[0]?.query_string, text)) breach(4, 'push: the new query is lost');
    const now = saved.find(id);
    if (service.updates === 'absent') {
      if (now.version !== before.get(id)?.version) breach(4, 'push: updated without updates');
      requireAbsentWords('push', told);
      if (pushed.code === 0 || again.code === 0) breach(2, 'push: exit code 0 without updates');
    } else if (!isForm(now.query_string, edited) || now.version !== (before.get(id)?.version ?? 0) + 1)
      breach(4, `push: version ${now.version}, ${JSON.stringify(now.query_string)} (${oneLine(told)})`);
    const others = [...before].filter(([other]) => other !== id);
    if (!others.every(([other, version]) => isDeepStrictEqual(saved.held.get(other), version)))
      breach(4, 'push: another query was changed');
    // Where the new query could not be found again, it is there by its name, and unknown here.
    const isFound = service.lostCreate === 'no' || service.savedList === 'there';
    if (service.updates === 'absent' || !isFound) return;
    if (again.code !== 0) breach(1, `push of nothing: ${oneLine(again.stdout + again.stderr)}`);
    if (clone.read(`${mine}.identity.sql`) !== text) breach(1, 'push: the file has changed');
  }

  /** A colleague's version comes in; one that concerns the same line is not sent, nor what was not decided. */
  async colleagues({ id, file }: { readonly id: string; readonly file: string }): Promise<void> {
    const { running, breach } = this.#ways;
    const { saved, service } = running;
    const clone = this.#clone;
    const theirs = `${saved.find(id).query_string}\n-- theirs`;
    saved.update(id, { query_string: theirs, expected_version: saved.find(id).version });
    if (service.updates === 'absent') {
      // The file has an edit that this service cannot take.
      clone.write(file, theirs);
      clone.commit();
    }
    const pulled = await this.#cli('pull');
    if (clone.read(file) !== saved.find(id).query_string && clone.read(file) !== theirs)
      breach(1, `pull of a colleague's version: ${oneLine(pulled.stdout + pulled.stderr)}`);
    clone.commit();
    const stored = saved.find(id).query_string;
    saved.update(id, {
      query_string: stored.replace('accounts', 'accounts there'),
      expected_version: saved.find(id).version,
    });
    clone.write(file, clone.read(file).replace('accounts', 'accounts here'));
    for (const ending of ['sql', 'json']) await rm(path.join(clone.folder, `${mine}.identity.${ending}`));
    clone.commit();
    const held = this.#held();
    const refused = await this.#cli('push');
    if (!isDeepStrictEqual(this.#held(), held)) breach(4, 'push: a conflict or a deletion was sent');
    if (refused.code !== 2 || !/conflict/.test(refused.stdout + refused.stderr))
      breach(5, `push of a conflict: ${refused.code} ${oneLine(refused.stdout + refused.stderr)}`);
    const listed = await this.#cli('saved', 'versions', id, '--json');
    const versions = (parsed(listed.stdout) as { versions?: Saved[] } | undefined)?.versions ?? []; // the command's own format
    const now = saved.find(id);
    if (versions[0]?.version !== now.version || /may have been deleted/.test(listed.stderr))
      breach(1, `saved versions: ${listed.code} ${oneLine(listed.stderr)}`);
    if (service.versionLists === 'without-texts' && !/more versions/.test(listed.stderr))
      breach(1, 'saved versions: those that cannot be read are left out without a word');
    if (service.versionLists === 'there' && versions.length !== now.version)
      breach(1, `saved versions: ${versions.length} of ${now.version}`);
    for (const { version, query_string: sql } of versions) {
      const there = saved.versionsOf(id).find((each) => each.version === version);
      if (there?.query_string !== sql) breach(1, `saved versions: version ${version} is another`);
    }
    if (service.versionLists === 'there') {
      const shown = await this.#cli('saved', 'show', id, '--version', '1');
      if (shown.stdout !== saved.versionsOf(id).at(-1)?.query_string)
        breach(1, `saved show --version: ${oneLine(shown.stderr)}`);
    }
  }

  /** The query of the removed file is deleted, if the service can. */
  async deletes(): Promise<void> {
    const { running, breach, requireAbsentWords } = this.#ways;
    const { saved, service } = running;
    const clone = this.#clone;
    const one = [...saved.held.values()].find(({ name }) => name === 'Mine');
    const isLinked =
      one !== undefined && clone.git('show', `HEAD~1:${mine}.identity.json`).includes(one.query_id);
    if (!isLinked) return; // its answer was lost, and nothing lists it
    const pushed = await this.#cli('push', '--delete', 'Mine');
    const told = pushed.stdout + pushed.stderr;
    if (service.deletes === 'denied' || service.deletes === 'accepted-in-vain') {
      if (pushed.code !== 1) breach(2, `push --delete: exit code ${pushed.code}, but it is there`);
    } else if (service.deletes !== 'absent') {
      if (saved.held.has(one.query_id) || pushed.code === 1) breach(4, `push --delete: ${oneLine(told)}`);
    } else {
      if (saved.held.get(one.query_id) !== one) breach(4, 'push --delete: without deletes');
      if (pushed.code !== 1) breach(2, `push --delete: exit code ${pushed.code} without deletes`);
      requireAbsentWords('push --delete', told);
    }
  }

  #held(): ReadonlyMap<string, Saved> {
    return new Map(this.#ways.running.saved.held);
  }

  #files(): readonly string[] {
    return readdirSync(this.#clone.folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.identity.sql'),
    );
  }

  async #cli(...args: readonly string[]): Promise<CliOutcome> {
    return await this.#ways.cli(this.#clone.folder, ...args);
  }
}

/** A service may store a text without its last line end, with composed accents, or with other line ends. */
function isForm(stored: string | undefined, sent: string): boolean {
  const form = (text: string) => text.normalize('NFC').replaceAll('\r\n', '\n').trimEnd();
  return stored !== undefined && form(stored) === form(sent);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // the caller reports it
  }
}

function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 240);
}
