/** Finds the controls in a folder: every `*.identity.sql` file with `@control`. Skips links and hidden folders. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { defaultModel } from '#api/contract/limits.ts';
import { FileRefusal, readBoundedText, refusedWords } from '#base/files/bounded-file.ts';
import { unreadableWords } from '#base/files/disk-messages.ts';
import { t } from '#base/texts.ts';
import type { ControlNote, ControlPlace } from './control-result.ts';
import { readControl, type Control } from './control.ts';
import { IndexEntries } from './index-entries.ts';

export interface FoundControl {
  readonly control: Control;
  readonly place: ControlPlace;
  readonly text: string;
  /** The model that is stored with a saved query, even if its text comes from a pulled file. */
  readonly model?: string | undefined;
  /** The name of the saved query, also of a pulled file; undefined if it has none. */
  readonly savedName?: string | undefined;
  /** IDs of the file's saved query, by service; undefined if it has none. */
  readonly ids?: Readonly<Record<string, string>> | undefined;
}

export interface FoundControls {
  readonly controls: readonly FoundControl[];
  /** Unreadable files. A control in such a file would be missed, so the run must not count as a pass. */
  readonly problems: readonly ControlNote[];
}

const controlFileEnding = '.identity.sql';
/** Maximum number of files. A larger folder is not a query folder. */
const filesMax = 20_000;
/** Maximum file size. The service accepts queries of up to 100,000 characters. */
const bytesMax = 1_000_000;

/**
 * @param paths files and folders; files that are named explicitly may have any extension.
 * @param root base of relative file names.
 */
export async function findControls(
  paths: readonly string[],
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
): Promise<FoundControls> {
  const controls: FoundControl[] = [];
  const problems: ControlNote[] = [];
  const seen = new Set<string>();
  const index = new IndexEntries(root);
  const take = async (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const name = slashed(path.relative(root, file));
    const read = await textOf(file);
    if (read.problem !== undefined) problems.push({ file: name, message: read.problem });
    else {
      const control = readControl(read.text);
      if (control === undefined) return;
      const entry = await index.of(file);
      controls.push({
        control,
        place: { name },
        text: read.text,
        model: entry?.model,
        savedName: entry?.name,
        ids: entry?.ids,
      });
    }
  };
  for (const start of paths) {
    signal.throwIfAborted();
    const isFolder = await stat(start).then(
      (stats) => stats.isDirectory(),
      (error: unknown) => {
        const reason = unreadableWords(error) ?? String(error);
        problems.push({
          file: slashed(path.relative(root, start)),
          message: t('Cannot be read: {0}.', reason),
        });
        return undefined;
      },
    );
    if (isFolder === false) await take(start);
    else if (isFolder === true) {
      const files = await filesIn(start, problems, root, signal);
      for (const file of files) await take(file);
    }
  }
  return { controls, problems: [...problems, ...index.problems] };
}

async function filesIn(
  folder: string,
  problems: ControlNote[],
  root: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const files: string[] = [];
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(at, { withFileTypes: true }).catch((error: unknown) => {
      const message = t('Cannot be read: {0}.', unreadableWords(error) ?? String(error));
      problems.push({ file: slashed(path.relative(root, at)), message });
      return [];
    });
    for (const entry of entries) {
      const target = path.join(at, entry.name);
      const isNamedAsOne = entry.name.toLowerCase().endsWith(controlFileEnding);
      if (isNamedAsOne && !entry.isFile()) {
        // Left out in silence, a control that somebody replaced would never fail again.
        const { message } = new FileRefusal(
          entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : 'no-file',
        );
        problems.push({
          file: slashed(path.relative(root, target)),
          message: t('Cannot be read: {0}.', message),
        });
      } else if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        open.push(target);
      else if (isNamedAsOne) files.push(target);
    }
    if (files.length > filesMax) {
      problems.push({
        file: slashed(path.relative(root, folder)),
        message: t('The folder has more than {0} query files. Choose a smaller folder.', filesMax),
      });
      break;
    }
  }
  return files.sort();
}

async function textOf(
  file: string,
): Promise<{ readonly text: string; readonly problem?: undefined } | { readonly problem: string }> {
  try {
    return { text: await readBoundedText(file, { maxBytes: bytesMax }) };
  } catch (error) {
    if (error instanceof FileRefusal && error.code === 'too-large')
      return { problem: t('The file is too large to be a query.') };
    return { problem: t('Cannot be read: {0}.', refusedWords(error)) };
  }
}

function slashed(file: string): string {
  return file === '' ? '.' : file.replaceAll('\\', '/');
}

/**
 * Removes saved queries whose file was also found, since the user works on the file.
 * @param service the result of `serviceKeyOf`.
 */
export function withoutPulled(
  saved: readonly FoundControl[],
  files: readonly FoundControl[],
  service: string,
): readonly FoundControl[] {
  const pulled = new Set(files.map(({ ids }) => ids?.[service]));
  return saved.filter(({ place }) => !pulled.has(place.savedQueryId));
}

const modelOf = ({ model = defaultModel }: FoundControl): string => model;

/**
 * Finds controls with the same ID, which waivers and baselines cannot distinguish. Identical controls count as one
 * unless they query different models.
 */
export function withoutTwins(found: readonly FoundControl[]): {
  readonly controls: readonly FoundControl[];
  /** Controls that share an ID, mapped to one another. */
  readonly twins: ReadonlyMap<FoundControl, FoundControl>;
} {
  const byId = new Map<string, FoundControl>();
  const twins = new Map<FoundControl, FoundControl>();
  const controls = found.filter((one) => {
    const { id } = one.control;
    const first = id === '' ? undefined : byId.get(id);
    if (first === undefined) {
      byId.set(id, one);
      return true;
    }
    if (first.text === one.text && modelOf(first) === modelOf(one)) return false;
    twins.set(one, first);
    twins.set(first, one);
    return true;
  });
  return { controls, twins };
}
