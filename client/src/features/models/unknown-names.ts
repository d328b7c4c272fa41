/**
 * Delays a finding about an unknown name until the service was asked again: the known models may be older than the
 * person's knowledge. No windows, no commands.
 */
import type { Confirmation } from './models-store.ts';

/** Scope of a document's names. */
export interface NamePlace {
  readonly connection: string;
  readonly models: readonly string[];
  /** Whether the service is reachable. */
  readonly canAsk: boolean;
  /** Whether the data was read in this window, rather than cached. */
  readonly isFresh: boolean;
}

export interface UnknownNamesDependencies {
  /** Undefined for a document without a connection. */
  readonly placeOf: (uri: string) => NamePlace | undefined;
  /** Rereads the models. Never rejects. */
  readonly confirm: (models: readonly string[]) => Promise<Confirmation>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** The relevant part of a diagnostic. */
export interface NameFinding {
  readonly code?: string | number | { readonly value: string | number } | undefined;
  readonly message: string;
}

/** Typing produces a new unknown name with every letter: a response is valid this long. */
const answerMs = 30_000;
const unknownCodes = new Set(['UNKNOWN_MODEL', 'UNKNOWN_TABLE', 'UNKNOWN_COLUMN']);

function isUnknownName({ code }: NameFinding): boolean {
  return unknownCodes.has(String(typeof code === 'object' ? code.value : code));
}

/** Documents are named by their addresses. */
export class UnknownNames<Finding extends NameFinding> {
  readonly #deps: UnknownNamesDependencies;
  /** Last published findings by document. */
  readonly #latest = new Map<string, readonly Finding[]>();
  /** Confirmed findings by document. */
  readonly #confirmed = new Map<string, Set<string>>();
  readonly #asking = new Map<string, Promise<Confirmation>>();
  readonly #askedAt = new Map<string, number>();

  constructor(deps: UnknownNamesDependencies) {
    this.#deps = deps;
  }

  /** A document was closed: drops its data. */
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
        // After a change, the server publishes again with current knowledge.
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

  /** One request at a time for the same models. */
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
