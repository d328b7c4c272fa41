/** The commands of this program that its messages tell the user to type. */
import { goTo, identityQueries, type Typed } from '#base/advice.ts';

/** How a person chose a connection: without it, the next command means another one, or none. */
export interface ConnectionChoice {
  readonly connection?: string | undefined;
  readonly connections?: string | undefined;
}

/** How a person chose a control: without it, the next command finds another one. */
export interface Choice extends ConnectionChoice {
  readonly paths: readonly string[];
  readonly saved?: boolean | undefined;
}

function wordsOf({ paths, saved, ...choice }: Choice = { paths: [] }): readonly string[] {
  return [
    ...(paths.length === 1 && paths[0] === '.' ? [] : paths),
    ...(saved === true ? ['--saved'] : []),
    ...connectionWords(choice),
  ];
}

function connectionWords({ connection, connections }: ConnectionChoice = {}): readonly string[] {
  return [
    ...(connection === undefined ? [] : ['--connection', connection]),
    ...(connections === undefined ? [] : ['--connections', connections]),
  ];
}

export const advice = {
  listControls: () => identityQueries('controls', 'list'),
  createDigestKey: () => identityQueries('controls', 'key'),
  listRowsOf: (control: string, choice?: Choice) =>
    identityQueries('controls', 'waive', control, ...wordsOf(choice)),
  waiveRow: (
    control: string,
    row: string,
    { hasOwner, choice }: { readonly hasOwner: boolean; readonly choice?: Choice },
  ) =>
    identityQueries(
      ...['controls', 'waive', control, ...wordsOf(choice), '--row', row, '--reason', '...'],
      ...(hasOwner ? [] : ['--owner', '...']),
    ),
  trustConnections: () => identityQueries('connections', 'trust'),
  startSandbox: (port: number) => identityQueries('sandbox', '--port', String(port)),
  firstQuery: (): Typed => ({
    ...identityQueries('run', '-'),
    input: 'SELECT alias, email FROM accounts LIMIT 5',
  }),
  writeModels: (): Typed => ({
    ...identityQueries('models', '--json'),
    output: { file: 'models.json' },
  }),
  listModels: () => identityQueries('models'),
  packFromGit: (address: string) => identityQueries('pack', 'add', address),
  listPacks: () => identityQueries('pack', 'list'),
  showPlan: () => identityQueries('plan'),
  writePlan: (file: string) => identityQueries('plan', '--out', file),
  showStatus: () => identityQueries('status'),
  checkFile: (file: string) => identityQueries('check', file),
  runFile: (file: string) => identityQueries('run', file),
  runSaved: (name: string) => identityQueries('run', '--saved', name),
  listSaved: () => identityQueries('saved', 'list'),
  examine: (choice?: ConnectionChoice) => identityQueries('doctor', ...connectionWords(choice)),
  serve: () => identityQueries('server', '--stdio'),
  exportHelp: () => identityQueries('export', '--help'),
  goTo,
  initCi: (service: string, ...options: readonly string[]) =>
    identityQueries('init', 'ci', service, ...options),
} as const satisfies Readonly<Record<string, (...facts: never[]) => Typed>>;
