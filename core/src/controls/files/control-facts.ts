/** The waivers and the baseline of one control in a repository, or the reason why they are unknown. */
import path from 'node:path';
import { t } from '#base/texts.ts';
import type { ControlNote } from '../control-result.ts';
import type { ControlFacts } from '../control-rows.ts';
import type { Control } from '../control.ts';
import type { RowDigests } from '../row-digest.ts';
import { baselineName, baselineProblem, readBaseline, type Baseline } from './baseline.ts';
import { ControlFileError, controlFolder, otherKeyWords } from './control-file.ts';
import { isExpired, readWaivers, waiversName, type Waivers } from './waivers.ts';

/** The control files of a repository, each either parsed or with its error. */
export interface ControlFiles {
  /** File names for messages, such as `.identity-queries/waivers.json`. */
  readonly names: { readonly waivers: string; readonly baseline: string };
  readonly waivers?: Waivers | ControlFileError;
  readonly baseline?: Baseline | ControlFileError;
}

/** @param root the folder that contains `.identity-queries`. */
export async function readControlFiles(root: string): Promise<ControlFiles> {
  const folder = path.join(root, controlFolder);
  const names = { waivers: `${controlFolder}/${waiversName}`, baseline: `${controlFolder}/${baselineName}` };
  const orError = (error: unknown) => {
    if (error instanceof ControlFileError) return error;
    throw error;
  };
  const [waivers, baseline] = await Promise.all([
    readWaivers(path.join(folder, waiversName), names.waivers).catch(orError),
    readBaseline(path.join(folder, baselineName), names.baseline).catch(orError),
  ]);
  return {
    names,
    ...(waivers === undefined ? {} : { waivers }),
    ...(baseline === undefined ? {} : { baseline }),
  };
}

export function factsFor(
  control: Control,
  files: ControlFiles,
  options: {
    readonly digests?: RowDigests;
    readonly isNewOnly: boolean;
    readonly now: Date;
    /** The name of the connection that the control runs on. */
    readonly connection?: string | undefined;
    /** Whether it runs on other connections, too: the same key may be another row there. */
    readonly isOneOfSeveral?: boolean;
  },
): ControlFacts {
  const { digests, isNewOnly } = options;
  const notes: ControlNote[] = [];
  const base = { isNewOnly, notes, ...(digests === undefined ? {} : { digests }) };
  const broken = (code: string, file: string, line: number, message: string): ControlFacts => ({
    ...base,
    waivers: new Map(),
    problem: { code, message: `${file}:${line}: ${message}` },
  });
  const { waivers, baseline, names } = files;
  // A damaged file makes the waived rows of every control unknown.
  if (waivers instanceof ControlFileError)
    return { ...base, waivers: new Map(), problem: problemOf(waivers) };
  if (baseline instanceof ControlFileError)
    return { ...base, waivers: new Map(), problem: problemOf(baseline) };
  const own = (waivers?.waivers ?? []).filter((waiver) => waiver.control === control.id);
  if (own.length > 0 && digests !== undefined && waivers?.keyId !== digests.keyId)
    return broken('FOREIGN_FILE', names.waivers, own[0]?.line ?? 1, otherKeyWords());
  const counting = own.filter((waiver) => {
    if (waiver.connection !== undefined && waiver.connection !== options.connection) return false;
    if (waiver.connection === undefined && options.isOneOfSeveral === true) {
      const message = t(
        'This waiver of {0} names no connection, so it does not count in a run on several. Add "connection" to it.',
        control.id,
      );
      notes.push({ message, file: names.waivers, line: waiver.line });
      return false;
    }
    if (!isExpired(waiver, options.now)) return true;
    const message = t(
      'This waiver of {0} ended with {1} (UTC), so it no longer applies.',
      control.id,
      waiver.expires,
    );
    notes.push({ message, file: names.waivers, line: waiver.line });
    return false;
  });
  const entry = baseline?.controls.get(control.id);
  if (entry !== undefined && digests !== undefined && baseline !== undefined) {
    if (baseline.keyId !== digests.keyId)
      return broken('FOREIGN_FILE', names.baseline, entry.line, otherKeyWords());
    const problem = baselineProblem(entry, control, digests);
    if (problem !== undefined) return broken('FOREIGN_FILE', names.baseline, entry.line, problem);
  }
  if (counting.length > 0 && control.key.length === 0)
    return broken(
      'KEY_MISSING',
      names.waivers,
      counting[0]?.line ?? 1,
      t('{0} has no @key, so its waivers match no row.', control.id),
    );
  return {
    ...base,
    waivers: new Map(counting.map(({ row, reason, owner, expires }) => [row, { reason, owner, expires }])),
    ...(entry === undefined ? {} : { baseline: new Set(entry.rows) }),
  };
}

function problemOf(error: ControlFileError): { readonly code: string; readonly message: string } {
  return { code: 'DAMAGED_FILE', message: error.message };
}
