/**
 * The file of `--notify`: who is told, and where. The person names the file, so its addresses are theirs; a secret is
 * never in it, and an address that is itself a secret comes from a variable.
 */
import { createHash, createHmac } from 'node:crypto';
import { lineOfSyntaxError, repeatedWords } from '#base/json-places.ts';
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import { isCredential } from '../../connections/connection-files.ts';

const receiverKinds = ['webhook', 'slack', 'teams'] as const;
export type ReceiverKind = (typeof receiverKinds)[number];

export interface Receiver {
  readonly name: string;
  readonly kind: ReceiverKind;
  readonly url: string;
  /** The key of signatures; undefined for none. */
  readonly secret?: string;
  readonly isPrivateAllowed: boolean;
}

/** An error whose message is safe to show. */
export class ReceiverError extends Error {}

/** Returns the ID under which a history remembers what a receiver was told. */
export function receiverIdOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return createHash('sha256').update(`${kind}\n${name}`).digest('hex').slice(0, 16);
}

const known = new Set(['name', 'kind', 'url', 'urlVariable', 'secretVariable', 'allowPrivateAddress']);

/** @throws ReceiverError */
export function parseReceivers(
  text: string,
  { file, environment, secrets }: ReceiverContext,
): readonly Receiver[] {
  for (const [index, entry] of receiverEntries(text, file).entries()) {
    const place = `${file}[${index}]`;
    requireNoCredential(entryVariables(entry, place), { place, secrets });
  }
  return receiversOf(text, { file, environment });
}

interface ReceiverContext {
  readonly file: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The variables with secrets of connections. */
  readonly secrets: ReadonlySet<string>;
}

/**
 * A receiver could guess the secret that signs its messages, and an address is sent in clear, so neither may be a
 * credential of something else.
 * @throws ReceiverError
 */
export function requireNoCredential(
  variables: readonly string[],
  { place, secrets }: { readonly place: string; readonly secrets: ReadonlySet<string> },
): void {
  const taken = variables.find((variable) => isCredential(variable, secrets));
  if (taken !== undefined)
    throw new ReceiverError(
      t(
        '{0}: {1} holds a secret of a connection or another credential, which no receiver can use. Name a variable of its own.',
        place,
        taken,
      ),
    );
}

function receiversOf(
  text: string,
  { file, environment }: Omit<ReceiverContext, 'secrets'>,
): readonly Receiver[] {
  const value = receiverList(text, file);
  const names = new Set<string>();
  return value.map((entry: unknown, index) => {
    const place = `${file}[${index}]`;
    const receiver = parseReceiver(entry, place, environment);
    const key = receiverIdOf(receiver);
    if (names.has(key))
      throw new ReceiverError(t('{0}: the name "{1}" is used twice.', place, receiver.name));
    names.add(key);
    return receiver;
  });
}

/** Returns the entries as they are written, which `parseReceivers` and `receiverVariables` examine. @throws ReceiverError */
export function receiverEntries(text: string, file: string): readonly Readonly<Record<string, unknown>>[] {
  return receiverList(text, file).map((entry, index) => {
    if (!isObject(entry)) throw new ReceiverError(t('{0} is not a receiver.', `${file}[${index}]`));
    return entry;
  });
}

function receiverList(text: string, file: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The parser's message quotes the text.
    throw new ReceiverError(t('{0} is not JSON: see line {1}.', file, lineOfSyntaxError(error, text)));
  }
  const repeated = repeatedWords(text, file);
  if (repeated !== undefined) throw new ReceiverError(repeated);
  if (!Array.isArray(value) || value.length === 0)
    throw new ReceiverError(t('{0} must contain a list of receivers.', file));
  return value;
}

/**
 * Returns the names of the variables that a file of receivers names, in order.
 * @throws ReceiverError
 */
export function receiverVariables(text: string, file: string): readonly string[] {
  return variablesOf((environment) => receiversOf(text, { file, environment }), file);
}

/** Returns the names of the variables of one entry. @throws ReceiverError */
export function entryVariables(entry: unknown, place: string): readonly string[] {
  return variablesOf((environment) => parseReceiver(entry, place, environment), place);
}

function variablesOf(read: (environment: NodeJS.ProcessEnv) => unknown, place: string): readonly string[] {
  const named = new Set<string>();
  // Every variable counts as set, and is noted as it is asked for.
  const environment = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      getOwnPropertyDescriptor: (_, name) => ({ value: String(name), configurable: true, enumerable: true }),
      get: (_, name) => {
        named.add(String(name));
        return 'https://example.com';
      },
    },
  );
  read(environment);
  for (const name of named)
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new ReceiverError(t('{0}: "{1}" is not the name of an environment variable.', place, name));
  return [...named];
}

function parseReceiver(entry: unknown, place: string, environment: NodeJS.ProcessEnv): Receiver {
  if (typeof entry !== 'object' || entry === null)
    throw new ReceiverError(t('{0} is not a receiver.', place));
  const fields = new Map<string, unknown>(Object.entries(entry));
  const stranger = [...fields.keys()].find((name) => !known.has(name));
  if (stranger !== undefined && /secret|token|password|key/i.test(stranger))
    throw new ReceiverError(
      t(
        '{0} contains a secret ({1}), so it is not used. Name an environment variable in "secretVariable" instead.',
        place,
        stranger,
      ),
    );
  if (stranger !== undefined) throw new ReceiverError(t('{0}: there is no "{1}".', place, stranger));
  const textOf = (name: string): string | undefined => {
    const value = fields.get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value.trim() === '')
      throw new ReceiverError(t('{0}: "{1}" must be a text.', place, name));
    return value.trim();
  };
  const variable = (name: string): string | undefined => {
    const named = textOf(name);
    if (named === undefined) return undefined;
    const value = Object.hasOwn(environment, named) ? environment[named]?.trim() : undefined;
    if (value === undefined || value === '')
      throw new ReceiverError(t('{0}: the environment variable {1} is not set.', place, named));
    return value;
  };
  const name = textOf('name');
  const kind = receiverKinds.find((each) => each === fields.get('kind'));
  const isPrivateAllowed = fields.get('allowPrivateAddress') ?? false;
  if (name === undefined || kind === undefined)
    throw new ReceiverError(t('{0} needs a "name" and a "kind": {1}.', place, receiverKinds.join(', ')));
  if (typeof isPrivateAllowed !== 'boolean')
    throw new ReceiverError(t('{0}: "{1}" must be true or false.', place, 'allowPrivateAddress'));
  // Whoever knows the address of such a channel can write to it.
  if (kind !== 'webhook' && fields.has('url'))
    throw new ReceiverError(
      t('{0}: the address of {1} is a secret. Name an environment variable in "urlVariable".', place, kind),
    );
  const written = textOf('url');
  const url = variable('urlVariable') ?? written;
  if (url === undefined || (written !== undefined && fields.has('urlVariable')))
    throw new ReceiverError(t('{0} needs either "url" or "urlVariable".', place));
  const secret = variable('secretVariable');
  return { name, kind, url, isPrivateAllowed, ...(secret === undefined ? {} : { secret }) };
}

/**
 * Returns the headers of Standard Webhooks: a receiver drops a message whose ID it knows, and checks the signature over
 * ID, time and body.
 */
export function webhookHeaders(
  { id, body, secret }: { readonly id: string; readonly body: string; readonly secret: string | undefined },
  now: Date,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const head = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret === undefined) return head;
  const key = secret.startsWith('whsec_')
    ? Buffer.from(secret.slice(6), 'base64')
    : Buffer.from(secret, 'utf8');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...head, 'webhook-signature': `v1,${signature}` };
}
