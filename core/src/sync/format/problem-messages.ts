/** Describes a problem with a folder of saved queries and how to fix it. The caller escapes quoted names. */
import { typedWords } from '#base/advice.ts';
import { t } from '#base/texts.ts';
import { gitAdvice } from '../git/git-advice.ts';
import { indexFile, metadataFileOf, queriesFolder } from './layout.ts';
import type { IndexProblem } from './query-index.ts';
import type { PathProblem } from './safe-path.ts';
import type { LeftOutProblem, TextProblem } from './text-bytes.ts';

/** @param file display name of the index. */
export function sayIndexProblem(problem: IndexProblem, file: string): string {
  switch (problem.kind) {
    case 'notJson':
      return `${t('{0} is not JSON: see line {1}.', file, problem.line)} ${sayRestore(problem.soundIn, file)}`;
    case 'conflictMarkers':
      return `${t('{0} has conflict markers on line {1}.', file, problem.line)} ${sayTakeSide(problem.soundIn, file)}`;
    case 'repeated':
      return `${file}:${problem.line}: ${t('The member "{0}" is written twice.', problem.member)}`;
    case 'member':
      return t(
        '{0} has an invalid or unknown "{1}". It looks like this: {"name": "Orphans", "model": "platform_identity"}',
        file,
        problem.member,
      );
    case 'format':
      return t('{0} is not a list of saved queries of format 1. A newer program may have written it.', file);
    case 'tooMany':
      return t('{0} lists more than 100,000 queries.', file);
    case 'entry':
      return t(
        '{0}: entry {1} has an invalid or unknown "{2}". Correct it.',
        file,
        problem.entry,
        problem.member,
      );
    case 'path':
      return t('{0}: "{1}" is refused: {2}.', file, problem.file, sayPathProblem(problem.problem));
    case 'file':
      return sayFileProblem(problem, file);
    case 'twice': {
      const [one, other] = problem.files;
      return sayTwice(problem.what, problem.value, { file, one, other });
    }
    default:
      return problem satisfies never;
  }
}

/**
 * What to do about a file that is not JSON.
 * @param soundIn the last commit before the damage, if that was committed.
 */
export function sayRestore(soundIn: string | undefined, file: string): string {
  return soundIn === undefined
    ? t('Correct it, or, if it was committed, take that file: {0}', typedWords(gitAdvice.restoreFile(file)))
    : sayTakeFrom(soundIn, file);
}

/** The same for conflict markers. */
export function sayTakeSide(soundIn: string | undefined, file: string): string {
  return soundIn === undefined
    ? t(
        'Correct it, or, until the merge is committed, take one side: {0} or {1}',
        typedWords(gitAdvice.takeOurs(file)),
        typedWords(gitAdvice.takeTheirs(file)),
      )
    : sayTakeFrom(soundIn, file);
}

function sayTakeFrom(commit: string, file: string): string {
  return t(
    'Correct it, or take it as it was before that was committed, and commit it: {0}',
    typedWords(gitAdvice.takeFrom(commit, file)),
  );
}

function sayFileProblem(
  { file, problem, renamed }: Extract<IndexProblem, { kind: 'file' }>,
  source: string,
): string {
  const path = shownPath(file);
  switch (problem) {
    case 'missing':
      return sayMissing(path, source, renamed);
    case 'link':
      return t(
        '{0} is a symbolic link that points outside the repository, so it is refused. Replace it with a file.',
        path,
      );
    case 'notFile':
      return t('{0} is not a file, so it is refused. Replace it with a file.', path);
    case 'unreadable':
      return t('{0} cannot be read, or is too large. Correct it, or restore it from Git.', path);
    default:
      return t('{0} cannot be used: {1}. Correct it, or restore it from Git.', path, sayTextProblem(problem));
  }
}

/** Whether a file was committed is not known here, so the advice says where it needs that. */
function sayMissing(path: string, source: string, renamed: string | undefined): string {
  if (source === shownPath(indexFile))
    return t('{0} lists {1}, which does not exist. Restore it from Git, or remove its line.', source, path);
  return renamed === undefined
    ? t(
        '{0} has no query beside it. Delete this file, too: {1}. Or, if the query was committed, restore it: {2}',
        source,
        typedWords(gitAdvice.removeFile(source)),
        typedWords(gitAdvice.restoreFile(path)),
      )
    : t(
        '{0} has no query beside it. If you renamed the query, rename this file, too: {1}',
        source,
        typedWords(gitAdvice.renameFile(source, shownPath(metadataFileOf(renamed)))),
      );
}

function shownPath(file: string): string {
  return `${queriesFolder}/${file}`;
}

function sayTwice(
  what: 'file' | 'name' | 'id',
  value: string,
  { file, one, other }: { readonly file: string; readonly one: string; readonly other: string },
): string {
  return {
    file: t('{0}: "{1}" and "{2}" are the same file on some systems. Rename one.', file, one, other),
    name: t('{0}: "{1}" and "{2}" have the same name, "{3}". Rename one.', file, one, other, value),
    id: t('{0}: "{1}" and "{2}" have the same ID, {3}. Remove "ids" from the copy.', file, one, other, value),
  }[what];
}

/** Returns text that follows a colon. */
export function sayPathProblem(problem: PathProblem): string {
  const outside = t('it points outside the folder');
  return {
    empty: t('it is empty'),
    ...{ absolute: outside, outside },
    reserved: t('a system or Git reserves the name'),
    character: t('it has a character that some file systems do not allow'),
    ending: t('it does not end in .identity.sql'),
    long: t('it is too long'),
  }[problem];
}

/** Explains why a pull leaves out a query, as text that follows a colon. */
export function sayLeftOut(problem: LeftOutProblem): string {
  switch (problem) {
    case 'fields':
      return t('its name, model, description or ID is missing or too long');
    case 'sameName':
      return t('another query has the same name');
    case 'place':
      return t('a file or a link is where its folder belongs');
    default:
      return sayTextProblem(problem);
  }
}

/** Returns text that follows a colon. */
export function sayTextProblem(problem: TextProblem): string {
  return {
    empty: t('it is empty'),
    long: t('it has more than 100,000 characters'),
    notUnicode: t('it is not UTF-8 text'),
  }[problem];
}
