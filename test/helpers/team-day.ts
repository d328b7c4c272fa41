/**
 * A day of a team, played by lot: three people with clones of one repository, one service, and CI in containers. They
 * write, rename, delete, branch, merge and rebase; pull, plan and push; colleagues edit on the service; requests fail
 * and commands are interrupted. The invariants hold after every command:
 * 1. no text that a person wrote is lost: a pull keeps uncommitted work, a push replaces nothing that was not seen;
 * 2. nothing is sent twice: no two queries come from one file, no text is saved twice in a row;
 * 3. the exit code is true: after "nothing to do" there is nothing to do;
 * 4. every file is whole or untouched;
 * 5. no secret is printed or kept.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { CommanderError } from 'commander';
import type { ServiceClient } from '#api/client/client.ts';
import { createProgram, failureCodeOf } from '#cli/program.ts';
import { metadataFileOf } from '#core/sync/format/layout.ts';
import { parseMetadata } from '#core/sync/format/query-index.ts';
import { sandboxEnvironment } from './command-line.ts';
import { cloneOf, repositoryAt, type Clone } from './git-clone.ts';
import type { RunningSandbox } from './sandbox.ts';

export interface DayCounts {
  commands: number;
  pushes: number;
  interrupted: number;
  faults: number;
  conflicts: number;
}

interface Person {
  readonly clone: Clone;
  readonly environment: NodeJS.ProcessEnv;
}

interface Ended {
  readonly code: number;
  readonly said: string;
  readonly isInterrupted: boolean;
}

export class TeamDay {
  readonly counts: DayCounts = { commands: 0, pushes: 0, interrupted: 0, faults: 0, conflicts: 0 };
  readonly #sandbox: RunningSandbox;
  readonly #client: ServiceClient;
  readonly #below: (limit: number) => number;
  readonly #folder: string;
  readonly #people: readonly Person[];
  readonly #bare: string;
  #written = 0;
  #runs = 0;
  /** Every step, so that a failed day can be read. */
  readonly log: string[] = [];

  /** @param folder an empty folder. @param bare a bare repository with a first commit on `main`. */
  constructor(options: {
    readonly sandbox: RunningSandbox;
    readonly client: ServiceClient;
    readonly below: (limit: number) => number;
    readonly folder: string;
    readonly bare: string;
  }) {
    this.#sandbox = options.sandbox;
    this.#client = options.client;
    this.#below = options.below;
    this.#folder = options.folder;
    this.#bare = options.bare;
    this.#people = ['ann', 'ben', 'cy'].map((name, place) => {
      const whole = cloneOf(options.bare, path.join(options.folder, name));
      // One of them has the line ends of Windows, and folders that do not tell small letters from large ones.
      if (place === 2) {
        whole.git('config', 'core.autocrlf', 'true');
        whole.git('config', 'core.ignorecase', 'true');
      }
      const clone = place === 1 ? worktreeOf(whole, path.join(options.folder, `${name}-tree`)) : whole;
      return { clone, environment: this.#environmentOf(name) };
    });
  }

  async play(steps: number): Promise<DayCounts> {
    await this.#begin();
    for (let step = 0; step < steps; step += 1) {
      const person = this.#pick(this.#people);
      if (person !== undefined) await this.#step(person);
      await this.#requireNoTwins();
    }
    await this.#inContainer();
    return this.counts;
  }

  /** The repository has the service's queries when the day begins. */
  async #begin(): Promise<void> {
    for (let count = 0; count < 3; count += 1) await this.#addOnService();
    const [first, ...others] = this.#people;
    if (first === undefined) return;
    await this.#run(first, ['pull'], { isCalm: true });
    first.clone.commit();
    first.clone.git('push', '-q', 'origin', 'HEAD:main');
    for (const { clone } of others) clone.git('pull', '-q', '--rebase', 'origin', 'main');
  }

  async #step(person: Person): Promise<void> {
    const actions = [
      () => this.#edit(person),
      () => this.#edit(person),
      () => this.#add(person),
      () => this.#rename(person),
      () => this.#remove(person),
      () => this.#editOnService(),
      () => this.#addOnService(),
      () => this.#deleteOnService(),
      () => this.#commit(person),
      () => this.#commit(person),
      () => this.#share(person),
      () => this.#share(person),
      () => this.#share(person),
      () => this.#branch(person),
      () => this.#pull(person),
      () => this.#pull(person),
      () => this.#push(person),
      () => this.#push(person),
      () => this.#look(person),
    ];
    await this.#pick(actions)?.();
  }

  #edit({ clone }: Person): Promise<void> {
    const file = this.#pick(this.#queriesOf(clone));
    if (file === undefined) return Promise.resolve();
    clone.write(file, `${clone.read(file).trimEnd()}\n${this.#token()}\n`);
    this.log.push(`edit ${file}`);
    return Promise.resolve();
  }

  #add({ clone }: Person): Promise<void> {
    const token = this.#token();
    const name = `q${this.#written}`;
    clone.write(`queries/${name}.identity.sql`, `SELECT 1\n${token}\n`);
    clone.describe(name, { name: `Query ${this.#written}` });
    this.log.push(`add ${name}`);
    return Promise.resolve();
  }

  #rename({ clone }: Person): Promise<void> {
    const file = this.#pick(this.#queriesOf(clone));
    if (file === undefined || clone.git('ls-files', file) === '') return Promise.resolve();
    const to = `queries/renamed-${(this.#written += 1)}.identity.sql`;
    clone.git('mv', file, to);
    clone.git('mv', metadataFileOf(file), metadataFileOf(to));
    this.log.push(`rename ${file} ${to}`);
    return Promise.resolve();
  }

  /** A person deletes a query with its metadata, in Git. */
  #remove({ clone }: Person): Promise<void> {
    const file = this.#pick(this.#queriesOf(clone));
    if (file === undefined || this.#isMerging(clone) || clone.git('ls-files', file) === '')
      return Promise.resolve();
    if (clone.git('status', '--porcelain', file) !== '') return Promise.resolve();
    clone.git('rm', '-q', '-f', file, metadataFileOf(file));
    this.log.push(`remove ${file}`);
    return Promise.resolve();
  }

  async #editOnService(): Promise<void> {
    const queries = await Array.fromAsync(this.#client.savedQueries.listAll());
    const query = this.#pick(queries);
    if (query === undefined) return;
    const { name, model, version } = query;
    const text = `${query.query_string.trimEnd()}\n${this.#token()}\n`;
    this.log.push(`service: edit ${name}`);
    await this.#client.savedQueries.update(query.query_id, {
      name,
      model,
      query_string: text,
      expected_version: version,
    });
  }

  async #addOnService(): Promise<void> {
    const token = this.#token();
    const name = `Service ${this.#written}`;
    this.log.push(`service: add ${name}`);
    await this.#client.savedQueries.create({
      name,
      model: 'platform_identity',
      query_string: `SELECT 2\n${token}\n`,
    });
  }

  async #deleteOnService(): Promise<void> {
    const queries = await Array.fromAsync(this.#client.savedQueries.listAll());
    const query = queries.length < 3 ? undefined : this.#pick(queries);
    if (query === undefined || this.#below(3) > 0) return;
    this.log.push(`service: delete ${query.name}`);
    await this.#client.savedQueries.delete(query.query_id);
  }

  #commit({ clone }: Person): Promise<void> {
    if (this.#isMerging(clone)) this.#settleMerge(clone);
    clone.commit();
    this.log.push('commit');
    return Promise.resolve();
  }

  /** Brings the person's branch and the shared one together, by a merge or a rebase, and shares the result. */
  #share({ clone }: Person): Promise<void> {
    if (this.#isMerging(clone)) this.#settleMerge(clone);
    clone.commit();
    clone.git('fetch', '-q');
    try {
      if (this.#below(2) === 0) clone.git('rebase', '-q', 'origin/main');
      else clone.git('merge', '-q', '--no-edit', 'origin/main');
    } catch {
      // Two people changed the same lines: a person decides.
      this.counts.conflicts += 1;
      if (hasGitFile(clone, 'rebase-merge')) {
        clone.git('rebase', '--abort');
        return Promise.resolve();
      }
      this.#settleMerge(clone);
      clone.commit();
    }
    try {
      clone.git('push', '-q', 'origin', 'HEAD:main');
    } catch {
      // A colleague was faster; the next time it works.
    }
    this.log.push('share');
    return Promise.resolve();
  }

  #branch({ clone }: Person): Promise<void> {
    if (this.#isMerging(clone)) return Promise.resolve();
    clone.commit();
    clone.git('checkout', '-q', '-B', this.#below(2) === 0 ? 'main' : `topic-${this.#below(3)}`);
    this.log.push('branch');
    return Promise.resolve();
  }

  async #pull(person: Person): Promise<void> {
    const { clone } = person;
    const before = this.#ownTokens(clone);
    const ended = await this.#run(person, ['pull']);
    const after = new Set(this.#ownTokens(clone));
    if (ended.code === 0 || ended.code === 2) {
      // What was only in the working files is still there, as a merge or between conflict markers.
      const lost = before.filter((token) => !after.has(token) && !this.#isCommitted(clone, token));
      assert.deepEqual(lost, [], 'a pull lost uncommitted work');
    } else
      assert.deepEqual(
        before.filter((token) => !after.has(token)),
        [],
        'a failed pull changed files',
      );
    if (ended.code === 0) {
      const again = await this.#run(person, ['pull'], { isCalm: true });
      assert.deepEqual([again.code, /Up to date/.test(again.said)], [0, true], again.said);
    }
  }

  async #push(person: Person): Promise<void> {
    this.counts.pushes += 1;
    const before = new Map(
      (await Array.fromAsync(this.#client.savedQueries.listAll())).map((query) => [query.query_id, query]),
    );
    const ended = await this.#run(person, ['push', '--detached']);
    const after = await Array.fromAsync(this.#client.savedQueries.listAll());
    for (const query of after) {
      const old = before.get(query.query_id);
      if (old === undefined) continue;
      assert.ok(query.version <= old.version + 1, `${query.name} was saved twice by one push`);
      // What the service had and the repository never saw is never replaced.
      if (query.version > old.version) this.#requireSeen(person.clone, old.query_string, query.query_string);
    }
    if (ended.code === 0) {
      const plan = await this.#run(person, ['plan'], { isCalm: true });
      assert.doesNotMatch(plan.said, /^[+~-] /m, `after a complete push: ${plan.said}`);
    }
  }

  async #look(person: Person): Promise<void> {
    const { code, said } = await this.#run(person, ['status']);
    if (code === 0) assert.match(said, /Both sides are the same/);
    if (code === 2) assert.match(said, /^[+~<!-] /m);
  }

  /** A job without a home, without a terminal, in another time zone, on a new clone of a kind that CI makes. */
  async #inContainer(): Promise<void> {
    const place = path.join(this.#folder, `ci-${(this.#runs += 1)}`);
    const kind = this.#pick(['clone', 'shallow', 'worktree', 'submodule', 'no-data'] as const) ?? 'clone';
    const clone = this.#checkout(kind, place);
    clone.git('checkout', '-q', '--detach');
    const { environment } = this.#people[0] ?? assert.fail();
    const bareEnvironment = Object.fromEntries(
      Object.entries(environment).filter(([name]) => name !== 'HOME' && name !== 'XDG_CONFIG_HOME'),
    );
    const data = path.join(this.#folder, `ci-data-${this.#runs}`);
    // Below a file, no folder can be made: as in a home that is read-only, also for root.
    if (kind === 'no-data') writeFileSync(data, '');
    const person = {
      clone,
      environment: {
        ...bareEnvironment,
        TERM: 'dumb',
        TZ: 'Pacific/Kiritimati',
        XDG_DATA_HOME: kind === 'no-data' ? path.join(data, 'home') : data,
      },
    };
    this.log.push(`ci: ${kind}`);
    const plan = await this.#run(person, ['plan', '--json'], { isCalm: true });
    assert.ok([0, 1, 2].includes(plan.code), plan.said);
    await this.#push(person);
  }

  #checkout(kind: 'clone' | 'shallow' | 'worktree' | 'submodule' | 'no-data', place: string): Clone {
    switch (kind) {
      case 'shallow':
        return cloneOf(`file://${this.#bare}`, place, '--depth', '1');
      case 'worktree':
        return worktreeOf(cloneOf(this.#bare, place), `${place}-tree`);
      case 'submodule': {
        const outer = cloneOf(this.#bare, place);
        outer.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', this.#bare, 'inner');
        return repositoryAt(path.join(place, 'inner'));
      }
      case 'clone':
      case 'no-data':
        return cloneOf(this.#bare, place);
      default:
        return kind satisfies never;
    }
  }

  async #run(
    { clone, environment }: Person,
    args: readonly string[],
    { isCalm = false }: { readonly isCalm?: boolean } = {},
  ): Promise<Ended> {
    const controller = new AbortController();
    const isToEnd = !isCalm && this.#below(8) === 0;
    const timer = isToEnd
      ? setTimeout(() => controller.abort(new DOMException('Interrupted', 'AbortError')), this.#below(200))
      : undefined;
    const said: string[] = [];
    const stream = () => {
      const made = new PassThrough();
      made.on('data', (chunk: Buffer) => said.push(chunk.toString()));
      return made;
    };
    let code = 0;
    const program = createProgram(
      {
        stdin: new PassThrough(),
        stdout: stream(),
        stderr: stream(),
        environment,
        cwd: clone.folder,
        signal: controller.signal,
        limitTo: () => undefined,
        end: (ended) => (code = Math.max(code, ended)),
      },
      '0',
    );
    if (!isCalm) await this.#maybeFault();
    try {
      await program.parseAsync([...args], { from: 'user' });
    } catch (error) {
      if (error instanceof TypeError || error instanceof CommanderError) throw error;
      code = controller.signal.aborted ? 130 : failureCodeOf(args);
      const help = error instanceof Error && 'help' in error ? String(error.help) : '';
      said.push(`${String(error)}\n${help}`);
    } finally {
      clearTimeout(timer);
      await this.#sandbox.setFaults([]);
    }
    this.counts.commands += 1;
    const isInterrupted = controller.signal.aborted;
    if (isInterrupted) this.counts.interrupted += 1;
    const ended = { code, said: said.join(''), isInterrupted };
    this.log.push(`${args.join(' ')} -> ${code}${isInterrupted ? ' interrupted' : ''}`);
    this.#requireWhole(clone);
    this.#requireNoSecret(ended.said);
    return ended;
  }

  /** Requests that fail in every way that a network has. */
  async #maybeFault(): Promise<void> {
    if (this.#below(4) > 0) return;
    this.counts.faults += 1;
    const [kind, method] = [
      this.#pick(['drop', 'drop-after', 'truncate', 'html', 'invalid-json'] as const) ?? 'drop',
      this.#pick(['GET', 'PUT', 'POST']) ?? 'GET',
    ];
    this.log.push(`fault: ${method} ${kind}`);
    await this.#sandbox.setFaults([{ method, path: '/v1/query/saved-queries*', script: [{ kind }] }]);
  }

  #requireWhole({ folder }: Clone): void {
    const files = globSync('queries/**/*', { cwd: folder, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    for (const { parentPath, name } of files) {
      assert.doesNotMatch(name, /\.part|\.draft/, `a draft was left: ${name}`);
      const text = readFileSync(path.join(parentPath, name), 'utf8');
      if (name.endsWith('.identity.json') && !text.includes('<<<<<<<'))
        assert.ok('entry' in parseMetadata(text, name.replace(/json$/, 'sql')), `${name} is damaged`);
    }
  }

  #requireNoSecret(text: string): void {
    assert.ok(!text.includes(this.#sandbox.clientSecret), 'a secret was printed');
  }

  /** No query was created twice: texts are unique, so two queries with one first token come from one file. */
  async #requireNoTwins(): Promise<void> {
    const first = new Map<string, string>();
    for await (const { name, query_string: text } of this.#client.savedQueries.listAll()) {
      const [token] = /-- token \d+/.exec(text) ?? [];
      if (token === undefined) continue;
      assert.equal(first.get(token), undefined, `${name} and ${first.get(token) ?? ''} are one query`);
      first.set(token, name);
    }
  }

  /** A replaced text is part of what this clone's history or the new text has. */
  #requireSeen(clone: Clone, old: string, now: string): void {
    const tokens = old.match(/-- token \d+/g) ?? [];
    const lost = tokens.filter((token) => !now.includes(token) && !this.#isCommitted(clone, token));
    assert.deepEqual(lost, [], 'a push replaced what nobody here had seen');
  }

  #isCommitted(clone: Clone, token: string): boolean {
    return clone.git('log', '--all', '--format=%H', '-1', '-S', token, '--', 'queries').trim() !== '';
  }

  #ownTokens({ folder }: Clone): readonly string[] {
    return globSync('queries/**/*.identity.sql', { cwd: folder }).flatMap(
      (file) => readFileSync(path.join(folder, file), 'utf8').match(/-- token \d+/g) ?? [],
    );
  }

  #queriesOf({ folder }: Clone): readonly string[] {
    return globSync('queries/**/*.identity.sql', { cwd: folder })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => existsSync(path.join(folder, metadataFileOf(file))))
      .sort();
  }

  #isMerging(clone: Clone): boolean {
    return hasGitFile(clone, 'MERGE_HEAD');
  }

  /** A person keeps the lines of both sides in texts, and their own side of metadata. */
  #settleMerge(clone: Clone): void {
    for (const file of clone.git('diff', '--name-only', '--diff-filter=U').split('\n').filter(Boolean)) {
      if (!existsSync(path.join(clone.folder, file))) continue;
      const sides = clone.git('ls-files', '-u', file).split('\n').filter(Boolean).length;
      if (file.endsWith('.json') && sides === 3) clone.git('checkout', '--ours', '--', file);
      else clone.write(file, clone.read(file).replaceAll(/^(?:<{7}|={7}|>{7}|\|{7}).*\n/gm, ''));
    }
    // A deleted half takes the other one with it.
    for (const file of globSync('queries/**/*.identity.json', { cwd: clone.folder }))
      if (!existsSync(path.join(clone.folder, file.replace(/json$/, 'sql'))))
        rmSync(path.join(clone.folder, file));
  }

  #token(): string {
    this.#written += 1;
    return `-- token ${this.#written}`;
  }

  #environmentOf(name: string): NodeJS.ProcessEnv {
    const home = path.join(this.#folder, `home-${name}`);
    mkdirSync(home, { recursive: true });
    const clean = Object.fromEntries(
      Object.entries(process.env).filter(([variable]) => !variable.startsWith('IDENTITY_QUERIES_')),
    );
    return {
      ...clean,
      ...sandboxEnvironment(this.#sandbox),
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, 'config'),
      XDG_DATA_HOME: path.join(home, 'data'),
    };
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items.length === 0 ? undefined : items[this.#below(items.length)];
  }
}

/** A second working folder of a clone, which gives up its branch for it. */
function worktreeOf(whole: Clone, folder: string): Clone {
  whole.git('checkout', '-q', '--detach');
  whole.git('worktree', 'add', '-q', folder, 'main');
  return repositoryAt(folder);
}

function hasGitFile(clone: Clone, name: string): boolean {
  return existsSync(path.resolve(clone.folder, clone.git('rev-parse', '--git-path', name).trim()));
}

/** Removes the queries of a day, so that the next one begins with none. */
export async function clearQueries(client: ServiceClient): Promise<void> {
  for await (const { query_id: id } of client.savedQueries.listAll()) await client.savedQueries.delete(id);
}
