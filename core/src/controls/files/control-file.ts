/**
 * Reads and writes the control files of a repository. They are parsed with care, since anyone may have edited them, and
 * never overwritten if damaged.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseJson } from '#api/client/json.ts';
import { FileRefusal, readBoundedText, refusedWords, writeWithin } from '#base/files/bounded-file.ts';
import { dataFolder } from '#base/files/data-folder.ts';
import { ProcessLock } from '#base/files/process-lock.ts';
import { lineOfConflict, linesOfJson, lineOfSyntaxError, repeatedMember } from '#base/json-places.ts';
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { sayRestore, sayTakeSide } from '../../sync/format/problem-messages.ts';
import { soundCommitOfFile } from '../../sync/git/sound-version.ts';

export const controlFolder = '.identity-queries';

/** Thrown if a file cannot be parsed. Its content is unknown, so it is left unchanged. */
export class ControlFileError extends ExpectedError {
  readonly file: string;
  /** 1-based line of the problem. */
  readonly line: number;

  constructor(file: string, line: number, problem: string, options?: ErrorOptions) {
    super(`${file}:${line}: ${problem}`, [], options);
    this.name = 'ControlFileError';
    this.file = file;
    this.line = line;
  }
}

export interface JsonFile {
  readonly value: Readonly<Record<string, unknown>>;
  /** Returns the 1-based line of a path, or 1 if the path is missing. */
  readonly lineOf: (path: string) => number;
  readonly fail: (path: string, problem: string) => ControlFileError;
}

const bytesMax = 32_000_000;
/** A change takes milliseconds. */
const waitMs = 10_000;

/**
 * Reads a JSON file; undefined if it does not exist.
 * @throws ControlFileError
 */
export async function readJsonFile(target: string, shownAs = target): Promise<JsonFile | undefined> {
  let text: string;
  try {
    text = await readBoundedText(target, { maxBytes: bytesMax, within: folderOf(target) });
  } catch (error) {
    if (error instanceof FileRefusal && error.code === 'missing') return undefined;
    const message = t('The file cannot be read: {0}.', refusedWords(error));
    throw new ControlFileError(shownAs, 1, message, { cause: error });
  }
  try {
    return parseJsonFile(parseJson(text), text, shownAs);
  } catch (error) {
    if (error instanceof ControlFileError) throw error;
    throw damaged(text, { file: shownAs, error, soundIn: await soundCommitOfFile(target, isJson) });
  }
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false; // another version may be
  }
}

/** @param soundIn the last commit before the damage, if that was committed. */
function damaged(
  text: string,
  {
    file,
    error,
    soundIn,
  }: { readonly file: string; readonly error: unknown; readonly soundIn: string | undefined },
): ControlFileError {
  const marked = lineOfConflict(text);
  const problem =
    marked === undefined
      ? `${t('This is not JSON.')} ${sayRestore(soundIn, file)}`
      : `${t('There are conflict markers.')} ${sayTakeSide(soundIn, file)}`;
  return new ControlFileError(file, marked ?? lineOfSyntaxError(error, text), problem, {
    cause: error,
  });
}

/** @throws ControlFileError */
function parseJsonFile(value: unknown, text: string, file: string): JsonFile {
  if (!isObject(value)) throw new ControlFileError(file, 1, t('This is not a JSON object.'));
  const repeated = repeatedMember(text);
  if (repeated !== undefined)
    throw new ControlFileError(file, repeated.line, t('The member "{0}" is written twice.', repeated.name));
  let lines: ReadonlyMap<string, number> | undefined;
  const lineOf = (place: string) => (lines ??= linesOfJson(text)).get(place) ?? 1;
  return { value, lineOf, fail: (place, problem) => new ControlFileError(file, lineOf(place), problem) };
}

/** Returns the ID of the digest key that a file was made with. @throws ControlFileError */
export function keyIdOf({ value: { version, keyId }, fail }: JsonFile): string {
  if (version !== 1) throw fail('version', t('"version" must be 1: another program wrote this file.'));
  if (typeof keyId !== 'string' || !/^[0-9a-f]{16}$/.test(keyId))
    throw fail('keyId', t('"keyId" must be the 16-digit ID of the digest key.'));
  return keyId;
}

export function otherKeyWords(): string {
  return t('This file was made with a different digest key. Set that key.');
}

/** A file with digests that were made with one key. */
interface KeyedFile {
  readonly keyId: string;
  /** All members of the file: a note beside the others is kept when they change. */
  readonly members: JsonFile['value'];
}

/**
 * Changes a file of digests.
 * @throws ControlFileError, leaving the file unchanged, if it is damaged or uses a different digest key.
 */
export async function changeKeyedFile<File extends KeyedFile>(
  target: string,
  { keyId }: Pick<KeyedFile, 'keyId'>,
  change: {
    readonly read: (target: string) => Promise<File | undefined>;
    readonly textOf: (members: JsonFile['value'], before: File | undefined) => string;
  },
): Promise<void> {
  await inTurn(target, async () => {
    const before = await change.read(target);
    if (before !== undefined && before.keyId !== keyId)
      throw new ControlFileError(target, 1, otherKeyWords());
    const text = change.textOf({ ...before?.members, version: 1, keyId }, before);
    await writeWithin(folderOf(target), target, text);
  });
}

/**
 * Reads and writes a file while no other program on this machine does, so that two changes at once are both kept. The
 * lock lies in the user's data, since the repository is everyone's.
 */
async function inTurn<Result>(target: string, change: () => Promise<Result>): Promise<Result> {
  const name = createHash('sha256').update(path.resolve(target)).digest('hex').slice(0, 32);
  const file = path.join(dataFolder(process.env), 'locks', `${name}.lock`);
  // Without a data folder, as in some containers, there is no lock, and the change goes on.
  const lock = await ProcessLock.wait(file, waitMs).catch(() => undefined);
  try {
    return await change();
  } finally {
    lock?.release();
  }
}

/** Control files lie in a folder of the repository. */
const folderOf = (target: string): string => path.dirname(path.dirname(target));
