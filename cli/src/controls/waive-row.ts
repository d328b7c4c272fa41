/** `controls waive`: lists the rows of a control with the digests of their keys, and accepts one for a limited time. */
import path from 'node:path';
import { typedText } from '#base/advice.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import type { NamedRow } from '#core/controls/control-rows.ts';
import { factsFor, readControlFiles } from '#core/controls/files/control-facts.ts';
import { controlFolder } from '#core/controls/files/control-file.ts';
import { addWaiver, isDay, isExpired, utcDay, waiversName } from '#core/controls/files/waivers.ts';
import { withoutTwins, type FoundControl } from '#core/controls/find-controls.ts';
import { listRows } from '#core/controls/list-rows.ts';
import { advice, type Choice } from '../advice.ts';
import { sharedAnalyser } from '../checks.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, write } from '../output.ts';
import { enteredParameters } from '../run/parameters.ts';
import { withService, type ConnectionOptions } from '../service.ts';
import { TextTable } from '../terminal/text-table.ts';
import { checkControl } from './check-controls.ts';
import { rootOf, sayProblems, selectControls, type SelectionOptions } from './control-files.ts';
import { requireDigestKey, type DigestKeyOptions } from './digest-key.ts';
import { requireUsed } from './run-controls.ts';

export interface WaiveOptions extends ConnectionOptions, SelectionOptions, DigestKeyOptions {
  readonly row?: string;
  readonly reason?: string;
  readonly owner?: string;
  readonly until?: string;
  readonly param: readonly string[];
  /** Seconds; 0 for no limit. */
  readonly timeout: number;
}

export const waiverDaysDefault = 90;
/** Rows to read at most, with their keys. */
const rowsMax = 1_000;
/** As many digits of a digest as are printed. */
const digitsMin = 12;

export async function waive(
  context: CliContext,
  { id, paths }: { readonly id: string; readonly paths: readonly string[] },
  options: WaiveOptions,
): Promise<number> {
  const digests = await requireDigestKey(context, options, 'A waiver');
  const until = options.until ?? utcDay(new Date(Date.now() + waiverDaysDefault * 24 * 60 * 60 * 1_000));
  if (!isDay(until) || isExpired({ expires: until }, new Date()))
    throw new CliError(`"${until}" is not a day to come. Write --until ${utcDay(new Date())}, in UTC.`);
  return await withService(context, options, async (service) => {
    const found = await selectControls(context, {
      paths,
      options,
      service: options.saved === true ? service : undefined,
    });
    await sayProblems(context, found.problems);
    const one = controlOf(withoutTwins(found.controls).controls, id);
    const parameters = enteredParameters(options.param);
    requireUsed(parameters, [one]);
    const root = rootOf(context);
    const files = await readControlFiles(root);
    const facts = factsFor(one.control, files, {
      digests,
      isNewOnly: false,
      now: new Date(),
      connection: service.profile.name,
    });
    const listed = await listRows(
      { ...one, checked: await checkControl(sharedAnalyser(), one), facts },
      {
        client: service.client,
        signal: context.signal,
        namedMax: rowsMax,
        parameters,
        timeLimitMs: options.timeout === 0 ? Infinity : options.timeout * 1_000,
      },
    );
    if (listed.kind === 'failed') throw new CliError(`${id}: ${listed.code}: ${listed.message}`);
    const choice = { ...options, paths };
    if (options.row === undefined) return await printRows(context, one, listed.rows, choice);
    const row = rowOf(listed.rows, options.row, id, choice);
    const owner = options.owner ?? one.control.owner;
    const { reason } = options;
    if (reason === undefined || owner === undefined)
      throw new CliError('A waiver needs a reason and an owner. Add --reason TEXT and --owner NAME.');
    const target = path.join(root, controlFolder, waiversName);
    // A connection that is named is meant: on another one, the same key may be another row.
    const { connection } = options;
    await addWaiver(
      target,
      { control: id, row: row.digest, reason, owner, expires: until, connection },
      digests,
    );
    await write(
      context.stderr,
      `${forTerminal(id)}: this row is waived until the end of ${until} (UTC). Commit ${forTerminal(path.relative(context.cwd, target))}.\n`,
    );
    return exitCodes.clean;
  });
}

/** @throws CliError */
function controlOf(controls: readonly FoundControl[], id: string): FoundControl {
  const one = controls.find(({ control }) => control.id === id);
  if (one === undefined)
    throw new CliError(`There is no control ${id}.`, [`List them with: ${typedText(advice.listControls())}`]);
  if (one.control.key.length === 0)
    throw new CliError(`${id} has no @key, so its rows cannot be told apart.`, [
      'Name the columns that identify a row above the query, for example: -- @key account_id',
    ]);
  return one;
}

/** Prints the rows that can be waived. Their keys are values, so this never happens without being asked. */
async function printRows(
  { stdout, stderr }: CliContext,
  { control }: FoundControl,
  rows: readonly NamedRow[],
  choice: Choice,
): Promise<number> {
  if (rows.length === 0) {
    await write(stderr, `${forTerminal(control.id)} has no row to waive.\n`);
    return exitCodes.clean;
  }
  const table = new TextTable([{ name: 'row' }, ...control.key.map((name) => ({ name }))]);
  await write(stdout, table.rows(rows.map(({ digest, key }) => [digest.slice(0, digitsMin), ...key])));
  const row = rows[0]?.digest.slice(0, digitsMin) ?? '';
  const typed = advice.waiveRow(control.id, row, { hasOwner: control.owner !== undefined, choice });
  await write(stderr, `Accept one with: ${typedText(typed)}\n`);
  return exitCodes.clean;
}

/** @throws CliError */
function rowOf(rows: readonly NamedRow[], digits: string, id: string, choice: Choice): NamedRow {
  if (!/^[0-9a-f]{12,64}$/.test(digits))
    throw new CliError(`"${digits}" is not a row. Copy the first ${digitsMin} digits or more of its digest.`);
  const [row, ...others] = rows.filter(({ digest }) => digest.startsWith(digits));
  if (row !== undefined && others.length === 0) return row;
  throw new CliError(
    row === undefined
      ? `${id} has no row ${digits}, or it is waived already.`
      : `${id} has several rows that begin with ${digits}. Write more digits.`,
    [`List them with: ${typedText(advice.listRowsOf(id, choice))}`],
  );
}
