/** What the database serves at the moment: looked at anew when its models are listed, or when a name was not found. */
import { unavailable, type ServiceError } from '../errors.ts';
import { OwnDatabaseError, type Told } from './database.ts';
import type { Served } from './served.ts';

/** A look that is this recent is used again. */
const freshMs = 2_000;

export class CurrentDatabase {
  readonly #look: (before: Served) => Promise<Served>;
  readonly #told: Told;
  #served: Served;
  #lookedAt = performance.now();
  #looking: Promise<void> | undefined;

  /** @param served the outcome of a first look */
  constructor(look: (before: Served) => Promise<Served>, served: Served, told: Told) {
    this.#look = look;
    this.#told = told;
    this.#served = served;
  }

  served(): Served {
    return this.#served;
  }

  /** @throws ServiceError if the database cannot be reached or served any more. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#lookedAt < freshMs) return;
    this.#looking ??= this.#lookNow().finally(() => (this.#looking = undefined));
    await this.#looking;
  }

  async #lookNow(): Promise<void> {
    try {
      this.#served = await this.#look(this.#served);
      this.#lookedAt = performance.now();
    } catch (error) {
      throw asServiceError(error, this.#told);
    }
  }
}

export function asServiceError(error: unknown, told: Told): unknown {
  return error instanceof OwnDatabaseError ? serviceErrorOf(error, told) : error;
}

export function serviceErrorOf(error: OwnDatabaseError, told: Told): ServiceError {
  return unavailable(told(error), error);
}
