/** Describes a problem with a folder of saved queries and how to fix it. The caller escapes quoted names. */
import { t } from '#base/texts.ts';
import type { IndexProblem } from './query-index.ts';
import type { PathProblem } from './safe-path.ts';
import type { LeftOutProblem, TextProblem } from './text-bytes.ts';
import { gitAdvice } from '../git/git-advice.ts';
import { typedText, type Typed } from '#base/advice.ts';

/** @param file display name of the index. */
export function sayIndexProblem(problem: IndexProblem, file: string): string {
  switch (problem.kind) {
    case 'notJson':
      return t(
        '{0} is not JSON: see line {1}. Correct it, or take the committed file: {2}',
        file,
        problem.line,
        typedWords(gitAdvice.restoreFile(file)),
      );
    case 'conflictMarkers':
      return t(
        '{0} has conflict markers on line {1}. Correct it, or take one side: {2} or {3}',
        file,
        problem.line,
        typedWords(gitAdvice.takeOurs(file)),
        typedWords(gitAdvice.takeTheirs(file)),
      );
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
    case 'twice': {
      const [one, other] = problem.files;
      return sayTwice(problem.what, problem.value, { file, one, other });
    }
    default:
      return problem satisfies never;
  }
}

function typedWords(commands: readonly Typed[]): string {
  return commands.map(typedText).join(' && ');
}

function sayTwice(
  what: 'file' | 'name' | 'id',
  value: string,
  { file, one, other }: { readonly file: string; readonly one: string; readonly other: string },
): string {
  switch (what) {
    case 'file':
      return t('{0}: "{1}" and "{2}" are the same file on some systems. Rename one.', file, one, other);
    case 'name':
      return t('{0}: "{1}" and "{2}" have the same name, "{3}". Rename one.', file, one, other, value);
    case 'id':
      return t(
        '{0}: "{1}" and "{2}" have the same ID, {3}. Remove "ids" from the copy.',
        file,
        one,
        other,
        value,
      );
    default:
      return what satisfies never;
  }
}

/** Returns text that follows a colon. */
export function sayPathProblem(problem: PathProblem): string {
  switch (problem) {
    case 'empty':
      return t('it is empty');
    case 'absolute':
    case 'outside':
      return t('it points outside the folder');
    case 'reserved':
      return t('a system or Git reserves the name');
    case 'character':
      return t('it has a character that some file systems do not allow');
    case 'ending':
      return t('it does not end in .identity.sql');
    case 'long':
      return t('it is too long');
    default:
      return problem satisfies never;
  }
}

/** Explains why a pull leaves out a query, as text that follows a colon. */
export function sayLeftOut(problem: LeftOutProblem): string {
  switch (problem) {
    case 'fields':
      return t('its name, model, description or ID is missing or too long');
    case 'sameName':
      return t('another query has the same name');
    default:
      return sayTextProblem(problem);
  }
}

/** Returns text that follows a colon. */
export function sayTextProblem(problem: TextProblem): string {
  switch (problem) {
    case 'empty':
      return t('it is empty');
    case 'long':
      return t('it has more than 100,000 characters');
    case 'notUnicode':
      return t('it is not UTF-8 text');
    default:
      return problem satisfies never;
  }
}
