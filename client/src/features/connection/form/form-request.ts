/** Schema of the requests that the connection form's page sends. */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ConnectionFormRequest } from '#panel-protocol/connection-form.ts';

const texts = Type.Record(Type.String(), Type.String());
const Request = Type.Union([
  Type.Object({ kind: Type.Literal('ready') }),
  Type.Object({ kind: Type.Literal('change'), texts, hasSecret: Type.Boolean() }),
  Type.Object({
    kind: Type.Union([Type.Literal('test'), Type.Literal('save')]),
    texts,
    secret: Type.String(),
  }),
  Type.Object({ kind: Type.Union([Type.Literal('stop'), Type.Literal('cancel')]) }),
]);

/** Returns undefined for unknown messages. */
export function parseFormRequest(message: unknown): ConnectionFormRequest | undefined {
  return Value.Check(Request, message) ? message : undefined;
}
