/** Parses an untrusted evidence record and validates it against the schema of its format. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { ParameterValue } from '#api/contract/execute.ts';
import { repeatedMember } from '#base/json-places.ts';
import { parsedJson } from '#base/values/parsed-json.ts';
import { evidenceFormat, type Evidence } from './evidence.ts';

const digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const count = Type.Integer({ minimum: 0 });
/** It becomes a line above the statement that is run again, so a line break would add SQL. */
const line = Type.String({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$` });
const time = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` });

const EvidenceRecord = Type.Object({
  format: Type.Literal(evidenceFormat),
  query: Type.Object({
    name: Type.String(),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    version: Type.Optional(Type.Integer({ minimum: 1 })),
    edited: Type.Optional(Type.Boolean()),
    connection: Type.Optional(Type.String()),
    sha256: digest,
  }),
  statement: Type.Object({ sha256: digest, start: count, length: count }),
  connection: Type.Object({
    name: Type.String(),
    environment: Type.Optional(Type.String()),
    service: Type.String(),
  }),
  model: line,
  parameters: Type.Array(
    Type.Union([
      Type.Object({ name: line, type: line, secret: Type.Literal(true) }, { additionalProperties: false }),
      Type.Object(
        {
          name: line,
          type: line,
          entered: Type.Optional(Type.String()),
          value: ParameterValue,
        },
        { additionalProperties: false },
      ),
    ]),
  ),
  columns: Type.Array(Type.Tuple([Type.String(), Type.String()])),
  rows: Type.Object({
    count,
    total: Type.Optional(count),
    truncated: Type.Boolean(),
    sha256: digest,
    setSha256: digest,
  }),
  startedAt: time,
  finishedAt: time,
  extension: Type.String(),
  checksum: digest,
});

export type ParsedEvidence =
  | {
      readonly kind: 'evidence';
      readonly evidence: Evidence;
      readonly raw: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'other-format'; readonly format: string }
  /** `place` is a JSON pointer to the first mismatch, or to a member that is written twice. */
  | { readonly kind: 'misshapen'; readonly place: string };

export function parseEvidence(json: string): ParsedEvidence {
  const value = parsedJson(json);
  if (value === undefined) return { kind: 'not-json' };
  const format: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'format') : undefined;
  if (format !== evidenceFormat)
    return { kind: 'other-format', format: typeof format === 'string' ? format : '' };
  const repeated = repeatedMember(json);
  if (repeated !== undefined) return { kind: 'misshapen', place: repeated.pointer };
  if (!Value.Check(EvidenceRecord, value)) {
    const [first] = Value.Errors(EvidenceRecord, value);
    return { kind: 'misshapen', place: first?.instancePath ?? '' };
  }
  const evidence: Evidence = value satisfies Static<typeof EvidenceRecord>;
  return { kind: 'evidence', evidence, raw: { ...value } };
}
