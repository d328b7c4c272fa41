/**
 * The lines of the log of what agents asked. Each holds the digest of the one before it, so that a line that was changed,
 * left out or put in shows. It proves nothing against whoever may write the whole file anew, nor that its end is there:
 * who wants to know that keeps the last digest elsewhere.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../util/canonical-json.ts';

export interface AuditEntry {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** What the client calls itself. */
  readonly client: string;
  readonly tool: string;
  readonly connection: string;
  /** The SQL that was asked for, cut where it is very long, and the digest of all of it. */
  readonly sql?: string;
  readonly sqlDigest?: string;
  /** The saved query, table or the like that was asked for. */
  readonly subject?: string;
  readonly status: 'complete' | 'truncated' | 'refused' | 'failed';
  /** Why it was refused or failed, as a stable word. */
  readonly code?: string;
  readonly rows?: number;
  /** Names of the columns whose values were masked. */
  readonly masked?: readonly string[];
}

export interface AuditLine extends AuditEntry {
  readonly previous: string;
  readonly hash: string;
}

/** What the first line names as the one before it. */
export const noPrevious = '0'.repeat(64);

export function chained(entry: AuditEntry, previous: string): AuditLine {
  return { ...entry, previous, hash: hashOf({ ...entry, previous }) };
}

function hashOf(line: Omit<AuditLine, 'hash'>): string {
  return createHash('sha256').update(canonicalJson(line)).digest('hex');
}

export interface AuditCheck {
  readonly lines: number;
  /** Of the last line; undefined for an empty log. */
  readonly lastHash: string | undefined;
  /** The first line that is not as it was written, counted from 1. */
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
      if (hashOf(rest) !== hash) this.#broken = { line: this.#lines, why: 'changed' };
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

/** Undefined for what is no line of the log. Members that it does not know stay, since the digest is of them too. */
export function parseAuditLine(text: string): AuditLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const fields = value as Readonly<Record<string, unknown>>; // any object has text keys
    const isText = ['at', 'client', 'tool', 'connection', 'status', 'previous', 'hash'].every(
      (name) => typeof fields[name] === 'string',
    );
    return isText ? (value as AuditLine) : undefined; // what it needs was just looked at
  } catch {
    return undefined; // half a line: a program ended while it wrote
  }
}
