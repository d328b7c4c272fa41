/** Why the state cannot be used, for the operator: each reason is told once, until another one comes. */
import { OwnDatabaseError } from '../own-data/database.ts';
import { asSentence, reasonOf } from '../postgres/connection.ts';
import { StateError } from '../state/state-database.ts';

export class StateReport {
  readonly #tell: (problem: string) => void;
  #reason: string | undefined;

  constructor(tell: (problem: string) => void) {
    this.#tell = tell;
  }

  get isAway(): boolean {
    return this.#reason !== undefined;
  }

  worked(): void {
    this.#reason = undefined;
  }

  failed(error: unknown): void {
    const reason = reasonOfState(error);
    if (reason !== this.#reason) this.#tell(reason);
    this.#reason = reason;
  }
}

/** Callers of the service are told only that the state is away, so the reason is further in. */
function reasonOfState(error: unknown): string {
  let inmost = error;
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof OwnDatabaseError || each instanceof StateError) return each.message;
    inmost = each;
  }
  return `The service cannot use its state: ${asSentence(reasonOf(inmost))}`;
}
