/** Explains why a pack is refused, and what to do. The caller escapes quoted names. */
import { t } from '#base/texts.ts';
import { numberText } from '#base/words/number-text.ts';
import { sayIndexProblem, sayPathProblem, sayTextProblem } from '../sync/format/problem-messages.ts';
import { fileBytesMax, type PackFilesError } from './pack-files.ts';
import { manifestFile, type ManifestProblem } from './pack-manifest.ts';
import { indexPath, type PackProblem } from './read-pack.ts';

export function sayPackProblem(problem: PackProblem): string {
  switch (problem.kind) {
    case 'files':
      return sayFilesProblem(problem.problem);
    case 'missing':
      return t(
        '"{0}" is missing. A pack needs {1}, and {2} or a file {3} beside each query.',
        problem.file,
        manifestFile,
        indexPath,
        '*.identity.json',
      );
    case 'link':
      return t('"{0}" is a symbolic link, which a pack may not contain.', problem.file);
    case 'submodule':
      return t('"{0}" is a Git submodule, which a pack may not contain.', problem.file);
    case 'device':
      return t('"{0}" is not a regular file.', problem.file);
    case 'tooLong':
      return t('"{0}" is longer than {1} bytes.', problem.file, numberText(fileBytesMax));
    case 'manifest':
      return sayManifestProblem(problem.problem);
    case 'index':
      return sayIndexProblem(problem.problem, indexPath);
    case 'path':
      return t('The name "{0}" is refused: {1}.', problem.file, sayPathProblem(problem.problem));
    case 'text':
      return t('"{0}" is refused: {1}.', problem.file, sayTextProblem(problem.problem));
    case 'deceiving':
      return t(
        'The name or description of "{0}" looks like a link or contains hidden characters.',
        problem.file,
      );
    case 'notReadOnly':
      return t('"{0}" is not proven read-only: {1}', problem.file, problem.because);
    case 'noQueries':
      return t('It contains no queries.');
    default:
      return problem satisfies never;
  }
}

function sayFilesProblem(problem: PackFilesError['problem']): string {
  return {
    tooMany: t('It contains too many files.'),
    tooDeep: t('Its folders are nested too deeply.'),
    notThere: t('There is no such folder.'),
  }[problem];
}

function sayManifestProblem(problem: ManifestProblem): string {
  switch (problem.kind) {
    case 'notJson':
      return t('{0} is not JSON.', manifestFile);
    case 'format':
      return t('{0} is not a pack of format 1. A newer program may have written it.', manifestFile);
    case 'member':
      return t('{0} has a missing or invalid "{1}".', manifestFile, problem.member);
    case 'link':
      return t('"{0}" in {1} looks like a link or contains hidden characters.', problem.member, manifestFile);
    default:
      return problem satisfies never;
  }
}
