/** `controls list`: lists the controls and their problems, without running any. */
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { controlTree, type ControlGroup, type ControlGrouping } from '#core/controls/control-tree.ts';
import { withoutTwins, type FoundControl } from '#core/controls/find-controls.ts';
import { tagText } from '#core/controls/tags.ts';
import { readFolderBenchmarks } from '#core/packs/folder-benchmarks.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, write, writeJson } from '../output.ts';
import { withService, type ConnectionOptions } from '../service.ts';
import { TextTable } from '../terminal/text-table.ts';
import { noteLine, rootOf, sayProblems, selectControls, type SelectionOptions } from './control-files.ts';

export interface ListOptions extends ConnectionOptions, SelectionOptions {
  readonly json?: boolean;
  readonly by?: ControlGrouping;
}

export async function listControls(
  context: CliContext,
  paths: readonly string[],
  options: ListOptions,
): Promise<number> {
  const { controls, problems } =
    options.saved === true
      ? await withService(context, options, (service) => selectControls(context, { paths, options, service }))
      : await selectControls(context, { paths, options, service: undefined });
  await sayProblems(context, problems);
  const wrong = controls.flatMap(({ control, place }) =>
    control.problems.map(({ line, message }) => ({ file: place.name, line, message })),
  );
  const { twins } = withoutTwins(controls);
  for (const [{ control, place }, twin] of twins)
    wrong.push({
      file: place.name,
      line: control.lines.control,
      message: `The ID ${control.id} is also used by ${twin.place.name}:${twin.control.lines.control}.`,
    });
  const tree = options.by === undefined ? undefined : await treeOf(context, controls, options.by);
  if (options.json === true)
    await writeJson(context.stdout, {
      controls: controls.map(jsonOf),
      ...(tree === undefined ? {} : { groups: tree.map(groupJson) }),
      problems: wrong,
    });
  else {
    await write(context.stdout, tree === undefined ? tableOf(controls) : treeText(tree));
    for (const problem of wrong) await write(context.stderr, `${noteLine(problem)}\n`);
  }
  return problems.length > 0 || wrong.length > 0 ? exitCodes.badInput : exitCodes.clean;
}

function tableOf(controls: readonly FoundControl[]): string {
  const table = new TextTable(
    ['id', 'title', 'severity', 'expected', 'tags', 'place'].map((name) => ({ name })),
  );
  return table.rows(
    controls.map(({ control, place }) => [
      control.id,
      control.title,
      control.severity,
      control.rules.expected,
      control.tags.map(tagText).join(' '),
      `${place.name}:${control.lines.control}`,
    ]),
  );
}

interface GroupedControl extends FoundControl {
  readonly folder: string;
}

/** @throws ControlFileError if the benchmarks file is malformed. */
async function treeOf(
  context: CliContext,
  controls: readonly FoundControl[],
  by: ControlGrouping,
): Promise<readonly ControlGroup<GroupedControl>[]> {
  const benchmarks = by === 'benchmark' ? await readFolderBenchmarks(rootOf(context)) : [];
  const grouped = controls.map((one) => ({ ...one, folder: folderOf(one) }));
  return controlTree(grouped, { by, benchmarks });
}

function folderOf({ place: { name, savedQueryId } }: FoundControl): string {
  if (savedQueryId !== undefined) return 'Saved queries';
  return name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '.';
}

function treeText(groups: readonly ControlGroup<GroupedControl>[], depth = 0): string {
  const indent = '  '.repeat(depth);
  return groups
    .map(({ label, description, groups: inner, items }) =>
      [
        `${indent}${forTerminal(description === undefined ? label : `${label}: ${description}`)}\n`,
        treeText(inner, depth + 1),
        ...items.map(({ control: { id, title }, place }) =>
          forTerminal(`${indent}  ${id}  ${title === id ? '' : `${title}  `}${place.name}`).concat('\n'),
        ),
      ].join(''),
    )
    .join('');
}

function groupJson({ label, description, groups, items }: ControlGroup<GroupedControl>): unknown {
  return {
    title: label,
    description,
    groups: groups.map(groupJson),
    controls: items.map(({ control }) => control.id),
  };
}

function jsonOf({ control, place }: FoundControl): unknown {
  const { rules, tags, ...rest } = control;
  return {
    ...rest,
    place,
    tags: tags.map(tagText),
    expected: rules.expected,
    warnIf: rules.warnIf?.text,
    errorIf: rules.errorIf?.text,
    statusColumn: rules.statusColumn,
  };
}
