/** `controls list`: which controls there are, and what is wrong with them before any is run. */
import { tagText } from '../../../core/src/controls/tags.ts';
import { withoutTwins, type FoundControl } from '../../../core/src/controls/find-controls.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, write, writeJson } from '../output.ts';
import { withService, type ConnectionOptions } from '../service.ts';
import { TextTable } from '../terminal/text-table.ts';
import { noteLine, sayProblems, selectControls, type SelectionOptions } from './control-files.ts';

export interface ListOptions extends ConnectionOptions, SelectionOptions {
  readonly json?: boolean;
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
      message: `${control.id} is the id of another control too: ${twin.place.name}:${twin.control.lines.control}.`,
    });
  if (options.json === true)
    await writeJson(context.stdout, { controls: controls.map(jsonOf), problems: wrong });
  else {
    await write(context.stdout, tableOf(controls));
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
