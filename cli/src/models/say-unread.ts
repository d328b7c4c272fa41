/** Says of a model that its tables come not, or not only, from the service. */
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import type { ReadModel } from '#core/models/read-schema.ts';
import type { CliContext } from '../context.ts';
import { write } from '../output.ts';

/** @param use what the tables are read for. */
export async function sayUnread(
  stderr: CliContext['stderr'],
  { name, isAssumed, reason }: ReadModel,
  use: 'shown' | 'checked',
): Promise<void> {
  if (reason === undefined) return;
  const consequence =
    use === 'checked'
      ? 'Names of its tables and columns are not checked.'
      : isAssumed === true
        ? 'Tables of the specification are shown, which the service may not have.'
        : 'Its tables are not known.';
  await write(stderr, `${forTerminal(`${name}: ${reason} ${consequence}`)}\n`);
}
