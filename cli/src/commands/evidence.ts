/** `evidence`: makes and verifies evidence of a result. docs/evidence.md explains the record. */
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { NotFoundError } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { saveFile, targetPath } from '#base/files/target-file.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { serviceKeyOf } from '#core/connections/connection-profile.ts';
import { recordChecks, runChecks, statementIn, type Check, type FoundText } from '#core/evidence/checks.ts';
import { evidenceJson, evidenceMarkdown, findEvidence } from '#core/evidence/evidence-markdown.ts';
import { digestOfText, type Evidence } from '#core/evidence/evidence.ts';
import { checkLine, summaryOf } from '#core/evidence/format-checks.ts';
import { parseEvidence } from '#core/evidence/parse-evidence.ts';
import { statementText, valuesOf } from '#core/evidence/statement-text.ts';
import type { EnteredValue } from '#core/parameters/parameter-field.ts';
import { CliError, type CliContext } from '../context.ts';
import { runForEvidence } from '../evidence/run-for-evidence.ts';
import { exitCodes, write, writeJson } from '../output.ts';
import { namedFiles, requireOwnTargets } from '../report-files.ts';
import { requireFolder } from '../require-folder.ts';
import { prepareQuery } from '../run/execute.ts';
import { positiveInteger } from '../run/numbers.ts';
import { givenOf, withQueryValues, type QueryValues } from '../run/query-values.ts';
import { readQuery } from '../run/read-query.ts';
import { rowsText } from '../run/rows-text.ts';
import { withConnectionOptions, withService, type ConnectionOptions, type Service } from '../service.ts';
import { readText } from '../text-file.ts';
import { withTimeLimit, type TimeLimitOptions } from '../time-limit.ts';

interface MakeOptions extends ConnectionOptions, QueryValues, TimeLimitOptions {
  readonly saved?: string;
  readonly model?: string;
  readonly limit?: number;
  readonly out?: string;
}

interface VerifyOptions extends ConnectionOptions, QueryValues, TimeLimitOptions {
  readonly query?: string;
  readonly run: boolean;
  readonly json?: boolean;
}

export function evidenceCommand(context: CliContext, version: string): Command {
  const command = new Command('evidence')
    .summary('prove later what a query returned')
    .description(
      'Makes and verifies evidence: what ran, where, with which values, and digests of the rows that came back. It contains no rows and no SQL.',
    );
  const make = command
    .command('make')
    .summary('run a query and print its evidence')
    .description('Runs a query and prints its evidence as Markdown, for a ticket or a report.')
    .argument('[file]', 'the file with the query')
    .option('--saved <name>', 'the saved query with this name or ID')
    .option('--model <name>', 'the model, if the query names none')
    .option('--limit <rows>', 'stop after this many rows', positiveInteger)
    .option('--out <file>', 'write the record to this file, as JSON, in place of printing');
  withTimeLimit(withQueryValues(make), context);
  withConnectionOptions(make).action(async (file: string | undefined, options: MakeOptions) => {
    await makeEvidence(context, file, { ...options, version });
    context.end(exitCodes.clean);
  });
  const verify = command
    .command('verify')
    .summary('compare evidence with the service')
    .description(
      'Checks a record, or a text with one: its checksum, the service, the text of the query, and the rows, by running the same statement with the same values.',
    )
    .argument('<file>', 'the record, or Markdown that contains one; - for standard input')
    .option('--query <file>', 'the text of the query, if the service does not have that version')
    .option('--no-run', 'do not run the statement, so its rows stay unknown')
    .option('--json', 'print the checks as JSON')
    .addHelpText('after', '\nExit code: 0 everything matches, 1 something differs, 2 something is unknown.');
  withTimeLimit(withQueryValues(verify), context);
  withConnectionOptions(verify).action(async (file: string, options: VerifyOptions) => {
    context.end(await verifyEvidence(context, file, { ...options, version }));
  });
  return command;
}

async function makeEvidence(
  context: CliContext,
  file: string | undefined,
  options: MakeOptions & { readonly version: string },
): Promise<void> {
  const target = options.out === undefined ? undefined : targetPath(context.cwd, options.out);
  // Found out later, it would cost a whole run.
  if (target !== undefined) await requireFolder(target);
  await withService(context, options, async (service) => {
    await requireOwnTargets([options.out], namedFiles(file), context.cwd);
    const query = await readQuery(context, service, { file, saved: options.saved, model: options.model });
    const prepared = await prepareQuery(query, givenOf(options), service, context.signal);
    const evidence = await runForEvidence(context, service, {
      prepared,
      text: query.text,
      saved: query.saved,
      name: query.title,
      limit: options.limit,
      version: options.version,
    });
    if (target === undefined) {
      await write(context.stdout, evidenceMarkdown(evidence));
      return;
    }
    await saveFile(target, (draft) => writeFile(draft, `${evidenceJson(evidence)}\n`, { flag: 'wx' }), {
      signal: context.signal,
    });
    await write(
      context.stderr,
      `The record of ${rowsText(evidence.rows.count)} is in ${forTerminal(target)}.\n`,
    );
  });
}

async function verifyEvidence(
  context: CliContext,
  file: string,
  options: VerifyOptions & { readonly version: string },
): Promise<number> {
  const { json, readable } = onlyOne(findEvidence(await readText(file, context)), file);
  const parsed = parseEvidence(json);
  if (parsed.kind === 'misshapen')
    throw new CliError(
      `${file} has no readable record: ${parsed.place === '' ? '/' : parsed.place} does not match the format, or is written twice.`,
    );
  if (parsed.kind !== 'evidence') throw new CliError(`${file} has no readable record: ${parsed.kind}.`);
  const { evidence, raw } = parsed;
  return await withService(context, options, async (service) => {
    const found = await findText(context, service, { evidence, file: options.query });
    const statement = found.kind === 'version' ? statementIn(evidence, found.text) : undefined;
    const hasRun = options.run && statement !== undefined;
    const checks = [
      ...recordChecks({ evidence, raw, readable, service: serviceKeyOf(service.profile), found }),
      ...(hasRun ? await runAgain(context, service, { evidence, statement, options }) : []),
    ];
    if (options.json === true) await writeJson(context.stdout, { checks, hasRun });
    else {
      for (const check of checks) await write(context.stdout, `${forTerminal(checkLine(check))}\n`);
      await write(context.stdout, `\n${forTerminal(summaryOf(checks))}\n`);
      if (!hasRun) await write(context.stderr, 'The statement was not run, so its rows are unknown.\n');
    }
    if (checks.some(({ outcome }) => outcome === 'differs')) return exitCodes.errorsFound;
    const isUnknown = !hasRun || checks.some(({ outcome }) => outcome === 'unknown');
    return isUnknown ? exitCodes.badInput : exitCodes.clean;
  });
}

async function runAgain(
  context: CliContext,
  service: Service,
  {
    evidence,
    statement,
    options,
  }: {
    readonly evidence: Evidence;
    readonly statement: string;
    readonly options: VerifyOptions & { readonly version: string };
  },
): Promise<readonly Check[]> {
  const text = statementText(evidence, statement);
  const bound = Object.entries(valuesOf(evidence)).map(([name, value]) => ({
    name,
    text: value.text,
    isNull: value.isNull,
    isEmpty: value.isEmpty ?? false,
  }));
  const given = givenOf(options);
  const named = [...options.param.map((entry) => entry.slice(0, entry.indexOf('='))), ...options.null];
  const isNamed = ({ name }: EnteredValue) => named.includes(name) || named.includes(`:${name}`);
  const prepared = await prepareQuery(
    { text, title: evidence.query.name, model: evidence.model },
    { ...given, entries: [...bound.filter((each) => !isNamed(each)), ...given.entries] },
    service,
    context.signal,
  );
  const now = await runForEvidence(context, service, {
    prepared,
    text,
    saved: undefined,
    name: evidence.query.name,
    // If more rows exist, as many are compared as were recorded.
    limit: evidence.rows.truncated ? Math.max(1, evidence.rows.count) : undefined,
    version: options.version,
  });
  return runChecks(evidence, now);
}

/** @throws CliError */
function onlyOne(found: ReturnType<typeof findEvidence>, file: string): (typeof found)[number] {
  const [one, ...others] = found;
  if (one === undefined) throw new CliError(`${file} contains no evidence.`);
  if (others.length > 0)
    throw new CliError(`${file} contains ${found.length} records. Put one of them into a file of its own.`);
  return one;
}

/** Finds the text of the query: in the named file, else the newest version on the service. */
async function findText(
  context: CliContext,
  { client }: Service,
  { evidence: { query }, file }: { readonly evidence: Evidence; readonly file: string | undefined },
): Promise<FoundText> {
  if (file !== undefined) return { kind: 'version', text: await readText(file, context), from: 'file' };
  if (query.edited === true) return { kind: 'missing', reason: 'edited' };
  if (query.id === undefined) return { kind: 'missing', reason: 'never-saved' };
  let saved: SavedQuery;
  try {
    saved = await client.savedQueries.get(query.id, { signal: context.signal });
  } catch (error) {
    if (error instanceof NotFoundError) return { kind: 'missing', reason: 'deleted' };
    throw error;
  }
  return saved.version === query.version || digestOfText(saved.query_string) === query.sha256
    ? { kind: 'version', text: saved.query_string, from: 'service' }
    : { kind: 'missing', reason: { kind: 'not-kept', newest: saved.version } };
}
