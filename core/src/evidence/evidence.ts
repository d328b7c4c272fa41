/**
 * The facts against which a result can later be verified: the query, the connection, the values and the row digests of
 * a run. docs/evidence.md documents the format. Independent of the editor. Contains no rows and no secrets.
 */
import { createHash } from 'node:crypto';
import type { ParameterValue } from '#api/contract/execute.ts';
import { canonicalJson } from '../rows/canonical-json.ts';
import type { RowsDigest } from '../rows/rows.ts';
import type { RunFacts } from '../runs/run-facts.ts';
import type { RunHeader } from '../runs/run-header.ts';

export const evidenceFormat = 'identity-queries-evidence/1';

export interface Evidence {
  readonly format: typeof evidenceFormat;
  readonly query: {
    readonly name: string;
    /** The saved query's ID and version; both are missing if the query was never saved. */
    readonly id?: string | undefined;
    readonly version?: number | undefined;
    /** Whether the text differed from that version at the time of the run. */
    readonly edited?: boolean | undefined;
    /** The connection that the saved query belongs to, if another one ran it. */
    readonly connection?: string | undefined;
    /** Digest of the whole query text, not only of the statement. */
    readonly sha256: string;
  };
  /** Digest of the executed statement with its placeholders, and its place in the query text in UTF-16 code units. */
  readonly statement: { readonly sha256: string; readonly start: number; readonly length: number };
  readonly connection: {
    readonly name: string;
    readonly environment?: string | undefined;
    readonly service: string;
  };
  readonly model: string;
  readonly parameters: readonly EvidenceParameter[];
  /** Name and type of each column. */
  readonly columns: readonly (readonly [string, string])[];
  readonly rows: {
    readonly count: number;
    /** Total number of rows in the result, if the service reported it. */
    readonly total?: number | undefined;
    /** Whether the service has more rows than were counted and hashed. */
    readonly truncated: boolean;
    readonly sha256: string;
    /** Digest that does not depend on the order of the rows. */
    readonly setSha256: string;
  };
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Version of the extension. */
  readonly extension: string;
  /** Checksum of all other members. It detects damage, not forgery. */
  readonly checksum: string;
}

/** A secret has neither a value nor a digest, because its value could often be guessed from the digest. */
export type EvidenceParameter =
  | { readonly name: string; readonly type: string; readonly secret: true }
  | {
      readonly name: string;
      readonly type: string;
      /** The value as typed, such as `today - 30 days`, if it differs from the bound value. */
      readonly entered?: string | undefined;
      readonly value: ParameterValue;
    };

export interface EvidenceSource {
  readonly facts: RunFacts;
  readonly header: RunHeader;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly digest: RowsDigest;
  readonly totalRows: number | undefined;
  readonly isComplete: boolean;
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
  readonly extensionVersion: string;
}

export function evidenceOf(source: EvidenceSource): Evidence {
  const { facts, header, digest } = source;
  const statement = withPlainEnds(facts.statement.text);
  const content: Omit<Evidence, 'checksum'> = {
    format: evidenceFormat,
    query: {
      name: header.title,
      ...(facts.savedQuery === undefined
        ? {}
        : {
            id: facts.savedQuery.id,
            version: facts.savedQuery.version,
            edited: header.isModified === true,
            ...(header.home === undefined ? {} : { connection: header.home }),
          }),
      sha256: digestOfText(facts.text),
    },
    statement: {
      sha256: digestOfText(statement),
      start: withPlainEnds(facts.text.slice(0, facts.statement.offset)).length,
      length: statement.length,
    },
    connection: {
      name: header.connection ?? '',
      ...(header.environment === undefined ? {} : { environment: header.environment }),
      service: facts.service,
    },
    model: facts.model,
    parameters: facts.parameters.map(({ name, type, isSecret, entered, value = null }) => {
      if (isSecret) return { name, type, secret: true };
      const isSaid = entered === undefined || entered === String(value) || Array.isArray(value);
      return { name, type, ...(isSaid ? {} : { entered }), value };
    }),
    columns: source.columns.map(({ name, type }) => [name, type] as const),
    rows: {
      count: digest.rowCount,
      ...(source.totalRows === undefined ? {} : { total: source.totalRows }),
      truncated: !source.isComplete,
      sha256: digest.sha256,
      setSha256: digest.setSha256,
    },
    startedAt: new Date(facts.startedAt).toISOString(),
    finishedAt: new Date(source.finishedAt).toISOString(),
    extension: source.extensionVersion,
  };
  return { ...content, checksum: checksumOf(content) };
}

export function checksumOf(evidence: Readonly<Record<string, unknown>> | Omit<Evidence, 'checksum'>): string {
  const { checksum: _own, ...content } = { checksum: undefined, ...evidence };
  return sha256(canonicalJson(content));
}

/** Digests the text as UTF-8 with LF line endings, so that editors and version control do not change the result. */
export function digestOfText(text: string): string {
  return sha256(withPlainEnds(text));
}

export function withPlainEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
