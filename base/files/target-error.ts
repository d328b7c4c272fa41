/** Thrown if a target that a person names cannot be written. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  /** Follows a colon. */
  readonly reason: string;

  readonly path: string;

  constructor(reason: string, path: string, options?: ErrorOptions) {
    super(`${reason}.`, options);
    this.reason = reason;
    this.path = path;
  }
}
