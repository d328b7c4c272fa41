/** A problem with a folder, a repository or a program, and how to fix it. */
import { ExpectedError } from '../failures/failure.ts';

export type SyncErrorKind =
  | 'noGit'
  | 'noRepository'
  | 'distrusted'
  | 'shallow'
  | 'partial'
  | 'sparse'
  | 'detached'
  | 'noCommit'
  | 'gitFailed'
  | 'folder'
  | 'lineEnds'
  | 'notWritable'
  | 'service'
  | 'plan'
  | 'name'
  | 'busy';

export class SyncError extends ExpectedError {
  readonly kind: SyncErrorKind;
  /** Lines to read or type, shown after the message. */
  readonly help: readonly string[];

  constructor(kind: SyncErrorKind, message: string, help: readonly string[] = [], options?: ErrorOptions) {
    super(message, [], options);
    this.name = 'SyncError';
    this.kind = kind;
    this.help = help;
  }
}
