/**
 * The configuration of a team's service: a YAML file. Every problem names the file, the line, the column, and what there
 * is. Names of files in it are relative to its folder.
 */
import { createHash } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import path from 'node:path';
import { isScalar, isSeq, type Node, type ParsedNode } from 'yaml';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { parseTarget, type Target } from '#base/postgres-address.ts';
import { defaults } from '../options.ts';
import type { Rows } from '../own-data/database.ts';
import { pemProblem } from '../own-data/encryption.ts';
import { chooseSource, type ChosenSource } from '../own-data/identity/choose-source.ts';
import { parseClasses, requireColumns } from '../own-data/identity/mapping.ts';
import {
  membersOf,
  parseYaml,
  readYamlText,
  textOf,
  type Member,
  type YamlFile,
} from '../own-data/yaml-file.ts';
import { nameOfHost } from '../plugins/host.ts';
import { statePlace, type StatePlace } from '../state/open-state.ts';

export interface Listen {
  readonly host: string;
  readonly port: number;
}

export interface SourceConfig {
  readonly name: string;
  readonly target: Target;
  readonly password: string | undefined;
  readonly schemas: readonly string[] | undefined;
  readonly chosen: ChosenSource;
  /** Throws if a column that has a class is not there. */
  readonly requireClassed: (rows: Rows) => Promise<void>;
  readonly timeZone: string;
  readonly timeoutMs: number;
  readonly rowLimit: number;
  readonly mostRunning: number;
  readonly acceptsUntestedEngine: boolean;
}

export interface TeamConfig {
  readonly listen: Listen;
  readonly publicUrl: string | undefined;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly instance: { readonly name: string; readonly address: string | undefined };
  readonly metrics: Listen | undefined;
  /** How long requests under way may take when the service stops. */
  readonly stopMs: number;
  readonly state: { readonly place: StatePlace; readonly password: string | undefined };
  readonly sources: readonly SourceConfig[];
  /** Digest of what must be the same on every instance. */
  readonly digest: string;
}

const rootMembers = [
  'listen',
  'public-url',
  'tls',
  'instance',
  'metrics',
  'stop-seconds',
  'state',
  'sources',
];
const sourceMembers = [
  'database',
  'password-file',
  'schemas',
  'preset',
  'mapping',
  'classes',
  'time-zone',
  'query-seconds',
  'rows',
  'running',
  'accept-untested-engine',
];
const sourceName = /^[\w.-]{1,60}$/;

/** @throws OwnDatabaseError that says where in the file the problem is. */
export async function readConfig(name: string): Promise<TeamConfig> {
  const text = await readYamlText('The configuration', name);
  const { file, contents } = parseYaml(name, text);
  const root = new Reader(file, path.dirname(path.resolve(name)), contents, 'The file', rootMembers);
  const tls = root.nested('tls', ['certificate', 'key']);
  const instance = root.nested('instance', ['name', 'address']);
  const publicUrl = root.text('public-url', (given) => {
    if (!/^https?:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/.test(given) || !URL.canParse(given))
      return 'must be an address such as https://queries.example.com';
    // Tokens and secrets go there.
    const { protocol, hostname: name } = new URL(given);
    return protocol === 'https:' || isLoopback(name.replaceAll(/[[\]]/g, ''))
      ? undefined
      : 'must begin with https://: tokens and secrets go there';
  });
  const listen = root.listen('listen') ?? { host: defaults.host, port: 8_080 };
  if (publicUrl === undefined && !isLoopback(listen.host))
    throw file.problem(
      root.place('listen'),
      tls === undefined
        ? 'this address can be reached from other machines, and nothing encrypts. Add `public-url` with the address under which clients reach the service, and either `tls` with a certificate, or a proxy that encrypts.'
        : 'this address can be reached from other machines. Add `public-url` with the address under which clients reach the service: links begin with it, and no other host name is answered.',
    );
  if (publicUrl?.startsWith('http:') === true && !isLoopback(listen.host))
    throw file.problem(
      root.place('public-url'),
      'it must begin with https://, since `listen` can be reached from other machines. Or listen on 127.0.0.1.',
    );
  const sources: SourceConfig[] = [];
  for (const [source, { key, value }] of membersOf(file, root.required('sources').value, '`sources`')) {
    if (!sourceName.test(source))
      throw file.problem(key, 'the name of a source has 1 to 60 letters, digits or . _ -');
    sources.push(await readSource(source, root.of(value, `\`${source}\``, sourceMembers)));
  }
  if (sources.length === 0) throw file.problem(root.place('sources'), '`sources` names none.');
  return {
    listen,
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    tls: tls && (await readTls(tls)),
    instance: {
      name: instance?.text('name') ?? `${hostname()}-${process.pid}`,
      address: addressOfInstance(instance, listen, tls !== undefined)?.replace(/\/+$/, ''),
    },
    metrics: root.listen('metrics'),
    stopMs: root.whole('stop-seconds', 25, 0, 3_600) * 1_000,
    state: await readState(root),
    sources,
    digest: createHash('sha256')
      .update(
        JSON.stringify([
          root.required('sources').value?.toJSON(),
          sources.map(({ chosen }) => chosen.digest),
        ]),
      )
      .digest('base64url')
      .slice(0, 12),
  };
}

async function readSource(name: string, source: Reader): Promise<SourceConfig> {
  const target = source.target('database');
  const classed = parseClasses(source.file, source.get('classes')?.value);
  const preset = source.text('preset');
  const mapping = source.text('mapping');
  if (preset !== undefined && mapping !== undefined)
    throw source.file.problem(
      source.place('mapping'),
      '`preset` and `mapping` both make the identity model. Choose one.',
    );
  const chosen = await chooseSource({ preset, mapping: mapping && source.resolve(mapping) }).catch(
    (error: unknown) => {
      // A problem of the mapping names its own file.
      if (preset === undefined || !(error instanceof Error)) throw error;
      throw source.file.problem(source.place('preset'), error.message, error);
    },
  );
  return {
    name,
    target,
    password: await source.password(),
    schemas: source.names('schemas'),
    chosen: { ...chosen, classes: new Map([...chosen.classes, ...classed.classes]) },
    requireClassed: (rows) => requireColumns(classed, rows),
    timeZone: source.text('time-zone') ?? 'UTC',
    timeoutMs: source.whole('query-seconds', defaults.queryTimeoutMs / 1_000, 1, 3_600) * 1_000,
    rowLimit: source.whole('rows', defaults.queryRowLimit, 1, 100_000_000),
    mostRunning: source.whole('running', 4, 2, 200),
    acceptsUntestedEngine: source.flag('accept-untested-engine'),
  };
}

async function readTls(tls: Reader): Promise<NonNullable<TeamConfig['tls']>> {
  const pair = { cert: await tls.requiredFile('certificate'), key: await tls.requiredFile('key') };
  for (const [name, given] of [
    ['certificate', { cert: pair.cert }],
    ['key', { key: pair.key }],
    ['key', pair],
  ] as const) {
    const problem = pemProblem(name, given);
    if (problem !== undefined)
      throw tls.file.problem(tls.place(name), `this file ${problem.words}.`, problem.cause);
  }
  return pair;
}

async function readState(root: Reader): Promise<TeamConfig['state']> {
  const { key, value } = root.required('state');
  const isPlain = value !== null && isScalar(value);
  const nested = isPlain ? undefined : root.of(value, '`state`', ['address', 'password-file']);
  const given = nested === undefined ? root.text('state') : nested.text('address');
  if (given === undefined)
    throw root.file.problem(key, '`state` must be a folder or an address of a database.');
  const place = root.checked(isPlain ? value : key, () =>
    statePlace(given, '`state`', (folder) => root.resolve(folder)),
  );
  return { place, password: await nested?.password() };
}

/** Reads the members of one mapping in the file. */
class Reader {
  readonly file: YamlFile;
  readonly #folder: string;
  readonly #members: ReadonlyMap<string, Member>;
  readonly #node: Node | null | undefined;
  readonly #what: string;

  constructor(
    file: YamlFile,
    folder: string,
    node: ParsedNode | null | undefined,
    what: string,
    known: readonly string[],
  ) {
    this.file = file;
    this.#folder = folder;
    this.#node = node;
    this.#what = what;
    this.#members = membersOf(file, node, what, known);
  }

  of(node: ParsedNode | null, what: string, known: readonly string[]): Reader {
    return new Reader(this.file, this.#folder, node, what, known);
  }

  get(name: string): Member | undefined {
    return this.#members.get(name);
  }

  /** Where a member, or what lacks it, is in the file. */
  place(name: string): Node | null | undefined {
    const member = this.#members.get(name);
    return member?.value ?? member?.key ?? this.#node;
  }

  resolve(file: string): string {
    return path.resolve(this.#folder, file);
  }

  required(name: string): Member {
    const member = this.#members.get(name);
    if (member !== undefined) return member;
    throw this.file.problem(this.#node, `${this.#what} needs \`${name}\`.`);
  }

  nested(name: string, known: readonly string[]): Reader | undefined {
    const member = this.#members.get(name);
    return member && this.of(member.value, `\`${name}\``, known);
  }

  /** @param problemOf says what is wrong with a text, after its name */
  text(name: string, problemOf: (text: string) => string | undefined = () => undefined): string | undefined {
    const member = this.#members.get(name);
    if (member === undefined) return undefined;
    const { text } = textOf(this.file, member.value, `\`${name}\``);
    const problem = problemOf(text);
    if (problem !== undefined) throw this.file.problem(member.value, `\`${name}\` ${problem}.`);
    return text;
  }

  whole(name: string, fallback: number, min: number, max: number): number {
    const member = this.#members.get(name);
    if (member === undefined) return fallback;
    const value = isScalar(member.value) ? member.value.value : undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw this.file.problem(this.place(name), `\`${name}\` must be a whole number from ${min} to ${max}.`);
  }

  flag(name: string): boolean {
    const member = this.#members.get(name);
    if (member === undefined) return false;
    const value = isScalar(member.value) ? member.value.value : undefined;
    if (typeof value === 'boolean') return value;
    throw this.file.problem(this.place(name), `\`${name}\` must be true or false.`);
  }

  names(name: string): readonly string[] | undefined {
    const member = this.#members.get(name);
    if (member === undefined) return undefined;
    const { value } = member;
    const items = value !== null && isSeq<ParsedNode>(value) ? value.items : [];
    if (items.length === 0)
      throw this.file.problem(
        this.place(name),
        `\`${name}\` must be a list of names, for example [public, hr].`,
      );
    return [...new Set(items.map((item) => textOf(this.file, item, `a name in \`${name}\``).text))];
  }

  listen(name: string): Listen | undefined {
    const text = this.text(name, (given) =>
      parseListen(given) === undefined
        ? 'must be an address and a port, for example 127.0.0.1:8080'
        : undefined,
    );
    return text === undefined ? undefined : parseListen(text);
  }

  target(name: string): Target {
    this.required(name);
    const parsed = parseTarget(this.text(name) ?? '');
    if (parsed.kind === 'problem') throw this.file.problem(this.place(name), parsed.problem);
    if (parsed.password === undefined) return parsed.target;
    throw this.file.problem(
      this.place(name),
      `the address has a password in it. Leave it out (${parsed.target.shown}), and name a file that has it: \`password-file\`.`,
    );
  }

  /** Returns the first line of the file with the password. */
  async password(): Promise<string | undefined> {
    const bytes = await this.#content('password-file');
    if (bytes === undefined) return undefined;
    // Leaves a byte order mark out, which editors add.
    const password = new TextDecoder().decode(bytes).split(/\r?\n/, 1)[0];
    if (password !== '') return password;
    throw this.file.problem(this.place('password-file'), 'the first line of the file is empty.');
  }

  async requiredFile(name: string): Promise<Buffer> {
    this.required(name);
    const bytes = await this.#content(name);
    if (bytes !== undefined) return bytes;
    throw this.file.problem(this.place(name), `\`${name}\` names no file.`);
  }

  async #content(name: string): Promise<Buffer | undefined> {
    const file = this.text(name);
    if (file === undefined) return undefined;
    try {
      return await readBounded(this.resolve(file), { maxBytes: mostFileBytes });
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      throw this.file.problem(this.place(name), `the file ${file} cannot be used: ${error.message}.`, error);
    }
  }

  /** Names the place of an error. */
  checked<Result>(place: Node, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw error instanceof Error ? this.file.problem(place, error.message, error) : error;
    }
  }
}

const mostFileBytes = 1_048_576;

function parseListen(text: string): Listen | undefined {
  const [, six, plain, port] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? plain;
  if (host === undefined || Number(port) > 65_535 || nameOfHost(host) === undefined) return undefined;
  return { host, port: Number(port) };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host);
}

/** The other instances send callers' tokens there, so it is encrypted or within a private network. */
function instanceProblem(address: string): string | undefined {
  if (!/^https?:\/\/[^/?#\s]+\/?$/.test(address) || !URL.canParse(address))
    return 'must be an address such as https://10.0.0.5:8080';
  const { protocol, hostname: host } = new URL(address);
  if (protocol === 'https:' || isPrivate(host)) return undefined;
  return 'must be https, or an address of a private network (10.x, 172.16 to 172.31, 192.168.x, fd00::, this machine)';
}

/** `auto` stands for this machine's only address in a private network. */
function addressOfInstance(
  instance: Reader | undefined,
  { host, port }: Listen,
  isEncrypted: boolean,
): string | undefined {
  const given = instance?.text('address');
  if (instance === undefined || given !== 'auto') return instance?.text('address', instanceProblem);
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const own = all.filter(({ family, internal }) => family === 'IPv4' && !internal);
  const found = own.map(({ address }) => address).filter(isPrivate);
  const isAny = host === '0.0.0.0' || host === '::';
  const address = isAny && found.length === 1 ? found[0] : found.find((each) => each === host);
  if (address !== undefined) return `${isEncrypted ? 'https' : 'http'}://${address}:${port}`;
  throw instance.file.problem(
    instance.place('address'),
    `\`auto\` needs one address of a private network that the service listens on. This machine has: ${found.join(', ') || 'none'}. Write the address, for example http://10.0.0.5:8080.`,
  );
}

function isPrivate(host: string): boolean {
  return (
    isLoopback(host) ||
    /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+$/.test(host) ||
    /^\[(?:f[cd][\da-f]{2}:.*|::1)\]$/.test(host)
  );
}
