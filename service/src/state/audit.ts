/**
 * Who saved, ran, exported or deleted what, and when. A text is kept as a code that only this state can make, so that
 * the same text can be recognized and none can be read.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { numberOf, optionalText, textOf, type RunSql, type StateDatabase } from './state-database.ts';

export type AuditAction = 'create' | 'update' | 'delete' | 'run' | 'export';

export interface AuditEntry {
  readonly source: string;
  readonly client: string;
  readonly action: AuditAction;
  /** The ID of the saved query or export; the model of a run. */
  readonly subject: string;
  readonly text: string;
}

const keptMs = 180 * 86_400_000;

/** A key for one purpose, from the one key of the state. */
export async function keyFor(state: StateDatabase, purpose: string): Promise<Buffer> {
  const [row] = await state.read("SELECT value FROM state.settings WHERE name = 'sealing-key'");
  return createHmac('sha256', Buffer.from(textOf(row, 'value'), 'base64'))
    .update(purpose)
    .digest();
}

export class Audit {
  readonly #state: StateDatabase;
  readonly #key: Buffer;

  private constructor(state: StateDatabase, key: Buffer) {
    this.#state = state;
    this.#key = key;
  }

  static async open(state: StateDatabase): Promise<Audit> {
    return new Audit(state, await keyFor(state, 'audit'));
  }

  /** Inside the transaction of what is done, so that nothing is done without its entry. */
  async within(run: RunSql, { source, client, action, subject, text }: AuditEntry): Promise<void> {
    await run(
      'INSERT INTO state.audit (id, at, source, client, action, subject, text_code) VALUES ($1, {now}, $2, $3, $4, $5, $6)',
      [randomUUID(), source, client, action, subject, this.codeOf(text)],
    );
  }

  async add(entry: AuditEntry): Promise<void> {
    await this.#state.write((run) => this.within(run, entry));
  }

  codeOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 22);
  }
}

export interface ReadEntry extends Omit<AuditEntry, 'text' | 'action'> {
  /** ISO 8601. */
  readonly at: string;
  readonly action: string;
  readonly textCode: string | undefined;
}

const pageSize = 1_000;

/** Yields entries from `since`, in milliseconds since 1970, oldest first. */
export async function* auditSince(state: StateDatabase, since: number): AsyncGenerator<ReadEntry> {
  let after: readonly [at: number, id: string] = [since, ''];
  for (;;) {
    const rows = await state.read(
      `SELECT id, at, source, client, action, subject, text_code FROM state.audit WHERE (at, id) > ($1, $2) ORDER BY at, id LIMIT ${pageSize}`,
      after,
    );
    for (const row of rows) {
      const at = numberOf(row, 'at');
      after = [at, textOf(row, 'id')];
      yield {
        at: new Date(at).toISOString(),
        source: textOf(row, 'source'),
        client: textOf(row, 'client'),
        action: textOf(row, 'action'),
        subject: textOf(row, 'subject'),
        textCode: optionalText(row, 'text_code'),
      };
    }
    if (rows.length < pageSize) return;
  }
}

export async function purgeAudit(state: StateDatabase): Promise<void> {
  await state.write((run) => run(`DELETE FROM state.audit WHERE at < {now} - ${keptMs}`));
}
