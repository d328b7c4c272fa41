/**
 * The lines of the agent log. Each line contains the digest of the previous line, so changed, removed or inserted lines
 * are detected. The chain does not detect a rewritten file or lines removed at the end; to detect those, keep the last
 * digest elsewhere.
 */
import { createHash } from 'node:crypto';
import { parsedJson } from '#base/values/parsed-json.ts';
import { isText, shapeOf } from '#base/values/shapes.ts';
import { canonicalJson } from '#core/rows/canonical-json.ts';

export interface AuditEntry {
  /** Time of the call: ISO 8601, UTC. */
  readonly at: string;
  /** The client's name, as reported by the client. */
  readonly client: string;
  readonly tool: string;
  readonly connection: string;
  /** The requested SQL, truncated if very long. `sqlDigest` is the digest of the whole text. */
  readonly sql?: string;
  readonly sqlDigest?: string;
  /** The requested saved query, table or other object. */
  readonly subject?: string;
  readonly status: 'complete' | 'truncated' | 'refused' | 'failed';
  /** A stable code for the refusal or failure. */
  readonly code?: string;
  readonly rows?: number;
  /** Names of the masked columns. */
  readonly masked?: readonly string[];
}

export interface AuditLine extends AuditEntry {
  readonly previous: string;
  readonly hash: string;
}

/** The previous digest of the first line. */
export const noPrevious = '0'.repeat(64);

export function chained(entry: AuditEntry, previous: string): AuditLine {
  return { ...entry, previous, hash: hashOf({ ...entry, previous }) };
}

function hashOf(line: Omit<AuditLine, 'hash'>): string {
  return createHash('sha256').update(canonicalJson(line)).digest('hex');
}

export interface AuditCheck {
  readonly lines: number;
  /** Digest of the last line; undefined for an empty log. */
  readonly lastHash: string | undefined;
  /** The first altered line, 1-based. */
  readonly broken?: { readonly line: number; readonly why: 'unreadable' | 'changed' | 'not-following' };
}

export class AuditChecker {
  #lines = 0;
  #previous = noPrevious;
  #broken: AuditCheck['broken'];

  add(text: string): void {
    if (text === '') return;
    this.#lines++;
    if (this.#broken !== undefined) return;
    const line = parseAuditLine(text);
    if (line === undefined) this.#broken = { line: this.#lines, why: 'unreadable' };
    else if (line.previous !== this.#previous) this.#broken = { line: this.#lines, why: 'not-following' };
    else {
      const { hash, ...rest } = line;
      // A member that is written twice has one value for this check and another for other readers.
      if (hashOf(rest) !== hash || JSON.stringify(line) !== text)
        this.#broken = { line: this.#lines, why: 'changed' };
      this.#previous = hash;
    }
  }

  result(): AuditCheck {
    return {
      lines: this.#lines,
      lastHash: this.#lines === 0 ? undefined : this.#previous,
      ...(this.#broken === undefined ? {} : { broken: this.#broken }),
    };
  }
}

/** Parses a log line; undefined if it is invalid. Unknown members are kept, since the digest covers them. */
export function parseAuditLine(text: string): AuditLine | undefined {
  const value = parsedJson(text);
  return isLine(value) ? value : undefined; // incomplete line: a program stopped while writing
}

const isLine = shapeOf<AuditLine>({
  ...{ at: isText, client: isText, tool: isText, connection: isText, status: isText },
  ...{ previous: isText, hash: isText },
});
