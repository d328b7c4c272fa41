/**
 * Delays findings about unknown names until the models have been reread, since the known models may be stale. No
 * windows, no commands.
 */
import type { Confirmation } from './models-store.ts';

/** The connection and models that a document's names belong to. */
export interface NamePlace {
  readonly connection: string;
  readonly models: readonly string[];
  /** Whether the service is reachable. */
  readonly canAsk: boolean;
  /** Whether the data was read in this window rather than cached. */
  readonly isFresh: boolean;
}

export interface UnknownNamesDependencies {
  /** Returns undefined for a document without a connection. */
  readonly placeOf: (uri: string) => NamePlace | undefined;
  /** Rereads the models. Never rejects. */
  readonly confirm: (models: readonly string[]) => Promise<Confirmation>;
  /** Returns a monotonic time in milliseconds. */
  readonly now: () => number;
}

/** The relevant members of a diagnostic. */
export interface NameFinding {
  readonly code?: string | number | { readonly value: string | number } | undefined;
  readonly message: string;
}

/** Time for which a response stays valid, since typing produces a new unknown name with every letter. */
const answerMs = 30_000;
const unknownCodes = new Set(['UNKNOWN_MODEL', 'UNKNOWN_TABLE', 'UNKNOWN_COLUMN']);

function isUnknownName({ code }: NameFinding): boolean {
  return unknownCodes.has(String(typeof code === 'object' ? code.value : code));
}

/** Reviews findings about unknown names. Documents are identified by their URIs. */
export class UnknownNames<Finding extends NameFinding> {
  readonly #deps: UnknownNamesDependencies;
  /** Last published findings by document. */
  readonly #latest = new Map<string, readonly Finding[]>();
  /** Keys of confirmed findings by document. */
  readonly #confirmed = new Map<string, Set<string>>();
  readonly #asking = new Map<string, Promise<Confirmation>>();
  readonly #askedAt = new Map<string, number>();

  constructor(deps: UnknownNamesDependencies) {
    this.#deps = deps;
  }

  /** Drops a closed document's data. */
  forget(uri: string): void {
    this.#latest.delete(uri);
    this.#confirmed.delete(uri);
  }

  review(
    uri: string,
    diagnostics: readonly Finding[],
    show: (diagnostics: readonly Finding[]) => void,
  ): void {
    this.#latest.set(uri, diagnostics);
    const unknown = diagnostics.filter(isUnknownName);
    const place = unknown.length === 0 ? undefined : this.#deps.placeOf(uri);
    if (place === undefined) {
      show(diagnostics);
      return;
    }
    const confirmed = this.#confirmed.get(uri) ?? new Set();
    this.#confirmed.set(uri, confirmed);
    const isDoubtful = (finding: Finding) => isUnknownName(finding) && !confirmed.has(finding.message);
    const doubtful = diagnostics.filter(isDoubtful);
    const confirm = () => {
      for (const { message } of doubtful) confirmed.add(message);
      show(diagnostics);
    };
    if (doubtful.length === 0) show(diagnostics);
    else if (place.canAsk && !this.#wasAsked(place)) {
      show(diagnostics.filter((finding) => !isDoubtful(finding)));
      void this.#ask(place).then((answer) => {
        if (this.#latest.get(uri) !== diagnostics) return;
        // If the models changed, the server publishes new findings based on the current models.
        if (answer === 'same') confirm();
        else if (answer === 'unanswered' && this.#deps.placeOf(uri)?.isFresh === true) show(diagnostics);
      });
    } else if (place.isFresh) {
      confirm();
    } else {
      show(diagnostics.filter((finding) => !isDoubtful(finding)));
    }
  }

  #wasAsked(place: NamePlace): boolean {
    const at = this.#askedAt.get(nameOf(place));
    return at !== undefined && this.#deps.now() - at < answerMs;
  }

  /** Rereads the models; concurrent calls for the same models share one request. */
  #ask(place: NamePlace): Promise<Confirmation> {
    const name = nameOf(place);
    const underWay = this.#asking.get(name);
    if (underWay !== undefined) return underWay;
    const asking = this.#deps.confirm(place.models).finally(() => {
      this.#asking.delete(name);
      this.#askedAt.set(name, this.#deps.now());
    });
    this.#asking.set(name, asking);
    return asking;
  }
}

function nameOf({ connection, models }: NamePlace): string {
  return JSON.stringify([connection, ...models]);
}
