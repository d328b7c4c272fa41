/** What the panel sends, as a schema: loaded with the first message, so that activation does not pay for it. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

const index = Type.Integer({ minimum: 0 });
const indexes = Type.Array(index);
const result = Type.String();
const entered = Type.Array(
  Type.Object({ name: Type.String(), text: Type.String(), isNull: Type.Boolean(), isEmpty: Type.Boolean() }),
);

/** Panel to host. */
export const PanelMessage = Type.Union([
  Type.Object({ kind: Type.Literal('ready') }),
  Type.Object({
    kind: Type.Literal('window'),
    result,
    run: index,
    generation: index,
    firstRow: index,
    rowCount: Type.Integer({ minimum: 1, maximum: 1_000 }),
    columns: indexes,
  }),
  Type.Object({ kind: Type.Literal('cell'), result, generation: index, row: index, column: index }),
  Type.Object({
    kind: Type.Literal('sort'),
    result,
    keys: Type.Array(Type.Object({ column: index, descending: Type.Boolean() })),
  }),
  Type.Object({
    kind: Type.Literal('copy'),
    result,
    generation: index,
    firstRow: index,
    lastRow: index,
    columns: indexes,
    format: Type.Union([
      Type.Literal('tsv'),
      Type.Literal('csv'),
      Type.Literal('json'),
      Type.Literal('markdown'),
      Type.Literal('in-list'),
    ]),
    withHeaders: Type.Boolean(),
  }),
  Type.Object({ kind: Type.Literal('copyText'), text: Type.String() }),
  Type.Object({ kind: Type.Literal('load'), result, all: Type.Boolean() }),
  Type.Object({ kind: Type.Literal('step'), result, step: index }),
  Type.Object({
    kind: Type.Literal('submit'),
    result,
    values: entered,
  }),
  Type.Object({
    kind: Type.Literal('form'),
    result,
    request: Type.Union([
      Type.Object({ kind: Type.Literal('useSet'), name: Type.String() }),
      Type.Object({
        kind: Type.Union([Type.Literal('saveSet'), Type.Literal('forget'), Type.Literal('draft')]),
        values: entered,
      }),
    ]),
  }),
  Type.Object({
    kind: Type.Union([
      Type.Literal('cancel'),
      Type.Literal('runAgain'),
      Type.Literal('runAnyway'),
      Type.Literal('editParameters'),
      Type.Literal('goToError'),
      Type.Literal('goToQuery'),
      Type.Literal('openProofSetting'),
      Type.Literal('nextStep'),
      Type.Literal('select'),
      Type.Literal('close'),
      Type.Literal('pin'),
    ]),
    result,
  }),
]);
export type PanelMessage = Static<typeof PanelMessage>;

/** Undefined for anything that is not one of ours. */
export function parsePanelMessage(message: unknown): PanelMessage | undefined {
  return Value.Check(PanelMessage, message) ? message : undefined;
}
