/** Selects a command's controls, and locates the files next to them. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Option, type Command } from 'commander';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { serviceKeyOf } from '#core/connections/connection-profile.ts';
import type { ControlNote } from '#core/controls/control-result.ts';
import { readControl } from '#core/controls/control.ts';
import { controlFolder } from '#core/controls/files/control-file.ts';
import {
  findControls,
  withoutPulled,
  type FoundControl,
  type FoundControls,
} from '#core/controls/find-controls.ts';
import { hasTag, type Tag } from '#core/controls/tags.ts';
import { missingWords, listSavedQueries, noListWords } from '#core/saved-queries/list-saved-queries.ts';
import { queriesFolder } from '#core/sync/format/layout.ts';
import { isUnder, parseUnder, readScope, scopeOf, type Under } from '#core/sync/scope.ts';
import { nearestHolder } from '#core/sync/workspace.ts';
import { parseTag } from '#server/language/text/control-directives.ts';
import { CliError, type CliContext } from '../context.ts';
import { write } from '../output.ts';
import type { Service } from '../service.ts';

export interface SelectionOptions {
  readonly tag: readonly Tag[];
  readonly saved?: boolean;
  /** A folder of names of saved queries. */
  readonly under?: string;
}

export function withSelectionOptions(command: Command): Command {
  return command
    .argument('[paths...]', 'files and folders with controls', ['.'])
    .addOption(
      new Option('--tag <tag>', 'only controls with this tag, such as soc2=CC6; repeat it for more')
        .argParser(collectTag)
        .default([], 'all'),
    )
    .option('--saved', 'also the saved queries of the connection that are controls')
    .option(
      '--under <folder>',
      'only saved queries, and files of them, whose names begin with this folder of names, such as "Access reviews/"',
    );
}

/** @throws CliError if the text is not a tag. */
function collectTag(text: string, before: readonly Tag[]): readonly Tag[] {
  const tag = parseTag(text);
  if (tag === undefined) throw new CliError(`"${text}" is not a tag. Write --tag soc2 or --tag soc2=CC6.1.`);
  return [...before, tag];
}

/** Returns the controls from files, then those from saved queries; a control matches if it has any of the tags. */
export async function selectControls(
  context: CliContext,
  {
    paths,
    options,
    service,
  }: {
    readonly paths: readonly string[];
    readonly options: SelectionOptions;
    /** Undefined if saved queries are not included. */
    readonly service: Service | undefined;
  },
): Promise<FoundControls> {
  const { cwd, signal } = context;
  const found = await findControls(
    paths.map((each) => path.resolve(cwd, each)),
    { root: cwd, signal },
  );
  const read = service === undefined ? undefined : await savedControls(service, signal);
  const saved =
    service === undefined || read === undefined
      ? []
      : withoutPulled(read.controls, found.controls, serviceKeyOf(service.profile));
  const asked = options.under === undefined ? undefined : parseUnder(options.under);
  const scope = service === undefined ? asked : scopeOf(asked, await keptScope(cwd));
  // The folder's own scope is about saved queries; files that were never saved have no name.
  const isIn = ({ savedName, place }: FoundControl): boolean =>
    savedName === undefined
      ? asked === undefined
      : (asked === undefined && place.savedQueryId === undefined) || isUnder(savedName, scope);
  const all = [...found.controls, ...saved].filter(isIn);
  const { tag } = options;
  const controls =
    tag.length === 0 ? all : all.filter(({ control }) => tag.some((one) => hasTag(control.tags, one)));
  return { controls, problems: [...found.problems, ...(read?.problems ?? [])] };
}

async function savedControls(
  { client }: Service,
  signal: AbortSignal,
): Promise<{ readonly controls: readonly FoundControl[]; readonly problems: readonly ControlNote[] }> {
  const found: FoundControl[] = [];
  const problems: ControlNote[] = [];
  const listing = await listSavedQueries(client, { signal });
  const { queries, isListed } = listing;
  const missing = missingWords(listing);
  // A control that is not read must not look like one that passed.
  if (!isListed) throw new CliError(`${noListWords()} Leave out --saved.`);
  if (missing !== undefined) problems.push({ message: missing });
  for (const summary of queries) {
    const { query_id, name, model } = summary;
    // Some services list saved queries without their text.
    const text = summary.query_string ?? (await client.savedQueries.get(query_id, { signal })).query_string;
    const control = readControl(text);
    if (control !== undefined)
      found.push({ control, place: { name, savedQueryId: query_id }, text, model, savedName: name });
  }
  return { controls: found, problems };
}

/** Returns the names that the folder of saved queries here or above owns. */
async function keptScope(cwd: string): Promise<Under | undefined> {
  const holder = await nearestHolder(cwd);
  return holder === undefined ? undefined : await readScope(path.join(holder, queriesFolder));
}

export async function sayProblems({ stderr }: CliContext, problems: readonly ControlNote[]): Promise<void> {
  for (const problem of problems) await write(stderr, `${noteLine(problem)}\n`);
}

/** Formats a note as `file:line: message`, which editors and terminals make clickable. */
export function noteLine({ file, line, message }: ControlNote): string {
  const at = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
  return forTerminal(`${at}${message}`);
}

/** Returns the nearest folder with `.identity-queries`, from here up to the repository root; otherwise, this folder. */
export function rootOf({ cwd }: Pick<CliContext, 'cwd'>): string {
  for (let at = path.resolve(cwd); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, controlFolder))) return at;
    if (existsSync(path.join(at, '.git')) || path.dirname(at) === at) return path.resolve(cwd);
  }
}
