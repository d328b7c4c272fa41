/** `serve migrate`, `clients`, `audit` and `purge`: an operator's work on the state, beside running instances. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { countedText } from '#base/words/counted-text.ts';
import { CommandError, dateOption, UsageError, wholeNumbers } from '../process.ts';
import { terminalLine } from '../terminal-line.ts';
import { auditSince } from './audit.ts';
import {
  addClient,
  listClients,
  removeClient,
  requireClientName,
  rotateClient,
  scopesIn,
} from './clients.ts';
import { liveInstances } from './instances.ts';
import { onlySource } from './migrate.ts';
import { migrateState, openState, statePlace, statePasswordVariable, type StatePlace } from './open-state.ts';
import { purgeSavedQueries } from './saved-queries.ts';
import { stateFile } from './sqlite-state.ts';
import type { StateDatabase } from './state-database.ts';

const usage = `Usage: identity-queries serve migrate --state PLACE
       identity-queries serve clients add NAME --source NAME [--scopes read,write] --state PLACE
       identity-queries serve clients list --state PLACE
       identity-queries serve clients rotate NAME [--keep-hours N] --state PLACE
       identity-queries serve clients remove NAME --state PLACE
       identity-queries serve audit [--since DATE] --state PLACE
       identity-queries serve purge [--all-deleted] --state PLACE

The state keeps saved queries with all their versions, and the clients of a team's service: in a folder for one process,
or in a PostgreSQL database (postgres://user@host:5432/database) for several, with a login of its own. Its password comes
from a password file (PGPASSFILE) or from the variable ${statePasswordVariable}.

  migrate          make the tables of the state, or bring them up to date. Instances that run go on, unless it says so
  clients add      make a client, one for each person, and print its secret, which is kept nowhere
  clients list     who may sign in, one JSON line a client
  clients rotate   print a new secret; the old one stays valid for --keep-hours (24). With 0, it ends at once
  clients remove   a client and its tokens end at once, on every instance within five seconds
  audit            who saved, ran, exported and deleted what, one JSON line each, from DATE on (the last day)
  purge            remove deleted queries whose 30 days are over
  --all-deleted    remove every deleted query with its versions, however recent
  --source NAME    the source that the client belongs to, as in the configuration (${onlySource})
  --scopes NAMES   read, write, or read,write (read)
`;

type Options = Readonly<Record<string, unknown>>;

interface Call {
  readonly place: StatePlace;
  readonly names: readonly string[];
  readonly options: Options;
}

const textOption = { type: 'string' } as const;
const flagOption = { type: 'boolean' } as const;
const dayMs = 86_400_000;

interface Command {
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;
  readonly hasNames?: true;
  /** Yields lines to print. */
  readonly run: (call: Call) => AsyncIterable<string>;
}

const commands: Readonly<Record<string, Command>> = {
  migrate: {
    options: {},
    async *run({ place }) {
      yield terminalLine(await migrateState(place, say));
    },
  },
  purge: {
    options: { 'all-deleted': flagOption },
    async *run({ place, options }) {
      const { queries } = await withState(place, (state) =>
        purgeSavedQueries(state, options['all-deleted'] === true),
      );
      yield queries === 1
        ? 'Removed 1 deleted query with its versions.'
        : `Removed ${queries} deleted queries with their versions.`;
    },
  },
  clients: {
    options: { source: textOption, scopes: textOption, 'keep-hours': textOption },
    hasNames: true,
    run: clients,
  },
  audit: {
    options: { since: textOption },
    async *run({ place, options }) {
      const { since } = options;
      const from = typeof since === 'string' ? dateOption('since', since) : Date.now() - dayMs;
      const state = await openState(requireKept(place), say);
      try {
        for await (const entry of auditSince(state, from)) yield JSON.stringify(entry);
      } finally {
        await state.close();
      }
    },
  },
};

async function* clients({ place, names: [action, given, ...more], options }: Call): AsyncIterable<string> {
  const text = (name: string): string | undefined => {
    const value = options[name];
    return typeof value === 'string' ? value : undefined;
  };
  if (more.length > 0 || (action === 'list' && given !== undefined))
    throw new UsageError('There are too many names.');
  switch (action) {
    case 'list':
      for (const { id, source, scopes, createdAt, oldSecretUntil } of await withState(place, listClients))
        yield JSON.stringify({
          name: id,
          source,
          scopes: [...scopes],
          created: new Date(createdAt).toISOString(),
          ...(oldSecretUntil === undefined ? {} : { oldSecretUntil: new Date(oldSecretUntil).toISOString() }),
        });
      return;
    case 'add': {
      const name = requireClientName(given);
      const source = text('source') ?? onlySource;
      const scopes = scopesIn(text('scopes') ?? 'read');
      const { secret, served } = await withState(place, async (state) => ({
        secret: await addClient(state, { name, source, scopes }),
        served: new Set((await liveInstances(state)).flatMap(({ sources }) => sources)),
      }));
      yield secret;
      say(
        `The client ${name} of the source ${source} was added. Its secret is on standard output, and kept nowhere.`,
      );
      if (!served.has(source))
        say(
          served.size === 0
            ? `No instance runs that serves a source, so the name ${source} was not checked.`
            : `No instance that runs serves the source ${source}; there are: ${[...served].sort().join(', ')}. If the name is wrong, remove the client and add it again.`,
        );
      return;
    }
    case 'rotate': {
      const name = requireClientName(given);
      const hours = wholeNumbers(options)('keep-hours', 24, 0, 720);
      const { secret, hasEnded } = await withState(place, (state) =>
        rotateClient(state, name, hours * 3_600_000),
      );
      yield secret;
      const kept = `The old secret of ${name} stays valid for ${countedText(hours, 'hour')}`;
      if (hours === 0) say(`The old secret and the tokens of ${name} ended.`);
      else say(hasEnded ? `${kept}. The one before it ended.` : `${kept}.`);
      return;
    }
    case 'remove': {
      const name = requireClientName(given);
      await withState(place, (state) => removeClient(state, name));
      yield `The client ${name} was removed. Its queries stay.`;
      return;
    }
    default:
      throw new UsageError('serve clients needs add, list, rotate or remove.');
  }
}

function requireKept(place: StatePlace): StatePlace {
  if (place.kind === 'memory')
    throw new UsageError('--state is missing: the folder or address of the state.');
  if (place.kind === 'folder' && !existsSync(path.join(place.folder, stateFile)))
    throw new UsageError(
      `The folder ${place.folder} has no state. Is its name right? "serve migrate --state ${place.folder}" makes one.`,
    );
  return place;
}

async function withState<Result>(
  place: StatePlace,
  work: (state: StateDatabase) => Promise<Result>,
): Promise<Result> {
  const state = await openState(requireKept(place), say);
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}

/** Runs a command on the state if the arguments are one. Returns whether they are. */
export async function runStateCommand([name = '', ...argv]: readonly string[]): Promise<boolean> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return false;
  if (argv.includes('--help')) {
    process.stdout.write(usage);
    return true;
  }
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: command.hasNames === true,
    options: { state: textOption, ...command.options },
  });
  const options: Options = values;
  const place = statePlace(typeof options['state'] === 'string' ? options['state'] : undefined);
  try {
    for await (const line of command.run({ place, names: positionals, options }))
      process.stdout.write(`${line}\n`);
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
  return true;
}

function say(line: string): void {
  process.stderr.write(`${terminalLine(line)}\n`);
}
