/** Thrown if a target that a person names cannot be written because of what it is. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  /** Follows a colon. */
  readonly reason: string;

  readonly path: string;

  constructor(reason: string, path: string) {
    super(`${reason}.`);
    this.reason = reason;
    this.path = path;
  }
}
