/**
 * Holds a finding about an unknown name back until the service was asked once more: what is known of models may be
 * older than what the person knows. No windows, no commands.
 */
import type { Confirmation } from './models-store.ts';

/** Where the names of a document are looked up. */
export interface NamePlace {
  readonly connection: string;
  readonly models: readonly string[];
  /** Whether the service can be asked now. */
  readonly canAsk: boolean;
  /** Whether what is known was read in this window, and is no leftover of an earlier one. */
  readonly isFresh: boolean;
}

export interface UnknownNamesDependencies {
  /** Undefined for a document that belongs to no connection. */
  readonly placeOf: (uri: string) => NamePlace | undefined;
  /** Reads the models again. Never rejects. */
  readonly confirm: (models: readonly string[]) => Promise<Confirmation>;
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number;
}

/** What counts of a diagnostic. */
export interface NameFinding {
  readonly code?: string | number | { readonly value: string | number } | undefined;
  readonly message: string;
}

/** Somebody who types brings an unknown name with every letter: an answer counts for so long. */
const answerMs = 30_000;
const unknownCodes = new Set(['UNKNOWN_MODEL', 'UNKNOWN_TABLE', 'UNKNOWN_COLUMN']);

function isUnknownName({ code }: NameFinding): boolean {
  return unknownCodes.has(String(typeof code === 'object' ? code.value : code));
}

/** Documents are named by their addresses. */
export class UnknownNames<Finding extends NameFinding> {
  readonly #deps: UnknownNamesDependencies;
  /** What was published last, by document. */
  readonly #latest = new Map<string, readonly Finding[]>();
  /** Findings that were confirmed, by document. */
  readonly #confirmed = new Map<string, Set<string>>();
  readonly #asking = new Map<string, Promise<Confirmation>>();
  readonly #askedAt = new Map<string, number>();

  constructor(deps: UnknownNamesDependencies) {
    this.#deps = deps;
  }

  /** A document is closed: nothing of it is kept. */
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
        // After a change the server publishes again, by what is known then.
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

  /** One question at a time about the same models. */
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
