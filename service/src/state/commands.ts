/** `serve migrate` and `serve purge`: an operator's work on the state, beside running instances. */
import { parseArgs } from 'node:util';
import { UsageError } from '../process.ts';
import { terminalLine } from '../terminal-line.ts';
import { migrateState, openState, statePlace, statePasswordVariable, type StatePlace } from './open-state.ts';
import { purgeSavedQueries } from './saved-queries.ts';

const usage = `Usage: identity-queries serve migrate --state ADDRESS
       identity-queries serve purge --state FOLDER-OR-ADDRESS [--all-deleted]

The state keeps saved queries with all their versions: in a folder for one process, or in a PostgreSQL database
(postgres://user@host:5432/database) for several, with a login of its own. Its password comes from a password file
(PGPASSFILE) or from the variable ${statePasswordVariable}.

  migrate          make the tables of the state, or bring them up to date. Instances that run go on, unless it says so
  purge            remove deleted queries whose 30 days are over
  --all-deleted    remove every deleted query with its versions, however recent
`;

const commands: Readonly<Record<string, (argv: readonly string[]) => Promise<string>>> = {
  migrate: async (argv) => {
    const { place } = optionsOf(argv, []);
    return await migrateState(place, say);
  },
  purge: async (argv) => {
    const { place, flags } = optionsOf(argv, ['all-deleted']);
    if (place.kind === 'memory') throw new UsageError('serve purge needs --state.');
    const state = await openState(place, say);
    try {
      const { queries } = await purgeSavedQueries(state, flags.has('all-deleted'));
      return queries === 1
        ? 'Removed 1 deleted query with its versions.'
        : `Removed ${queries} deleted queries with their versions.`;
    } finally {
      await state.close();
    }
  },
};

/** Runs a command on the state if the arguments are one. Returns whether they are. */
export async function runStateCommand([name = '', ...argv]: readonly string[]): Promise<boolean> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return false;
  const text = argv.includes('--help') ? usage : `${terminalLine(await command(argv))}\n`;
  process.stdout.write(text);
  return true;
}

function say(line: string): void {
  process.stderr.write(`${terminalLine(line)}\n`);
}

function optionsOf(
  argv: readonly string[],
  known: readonly string[],
): { readonly place: StatePlace; readonly flags: ReadonlySet<string> } {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      state: { type: 'string' },
      ...Object.fromEntries(known.map((name) => [name, { type: 'boolean' as const }])),
    },
  });
  const given: Readonly<Record<string, unknown>> = values;
  return {
    place: statePlace(typeof given['state'] === 'string' ? given['state'] : undefined),
    flags: new Set(known.filter((name) => given[name] === true)),
  };
}
