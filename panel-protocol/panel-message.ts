/** What the panel sends, as a schema: loaded with the first message, so that activation does not pay for it. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { chartTypes } from '../core/src/rows/rows.ts';
import { textFormats } from '../core/src/rows/files/text-writer.ts';

const index = Type.Integer({ minimum: 0 });
const indexes = Type.Array(index);
const result = Type.String();
const entered = Type.Array(
  Type.Object({ name: Type.String(), text: Type.String(), isNull: Type.Boolean(), isEmpty: Type.Boolean() }),
);
const keys = Type.Array(Type.Object({ column: index, descending: Type.Boolean() }));
const rule = Type.Union([
  Type.Object({
    kind: Type.Literal('text'),
    operator: Type.Enum(['contains', 'does-not-contain', 'equals', 'starts-with', 'ends-with']),
    text: Type.String(),
    matchCase: Type.Boolean(),
  }),
  Type.Object({
    kind: Type.Literal('compare'),
    operator: Type.Enum(['=', '<>', '<', '<=', '>', '>=']),
    text: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('values'),
    values: Type.Array(Type.Union([Type.String(), Type.Null()])),
  }),
  Type.Object({ kind: Type.Literal('null'), isNull: Type.Boolean() }),
]);
const filters = Type.Array(Type.Object({ column: index, rule }));

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
  Type.Object({ kind: Type.Literal('records'), result, generation: index, rows: Type.Array(index) }),
  Type.Object({ kind: Type.Literal('sortAndFilter'), result, sort: keys, filters }),
  Type.Object({ kind: Type.Literal('values'), result, column: index }),
  Type.Object({
    kind: Type.Literal('find'),
    result,
    question: index,
    text: Type.String(),
    matchCase: Type.Boolean(),
    columns: indexes,
    from: Type.Object({ row: index, place: Type.Integer({ minimum: -1 }) }),
    backwards: Type.Boolean(),
  }),
  /** Columns in the order they are shown, without those that are hidden. */
  Type.Object({ kind: Type.Literal('layout'), result, run: index, columns: indexes }),
  Type.Object({ kind: Type.Literal('export'), result }),
  Type.Object({
    kind: Type.Literal('chart'),
    result,
    spec: Type.Object({ type: Type.Enum([...chartTypes]), x: index, y: Type.Optional(index) }),
  }),
  /** PNG as base64, SVG as it is. */
  Type.Object({
    kind: Type.Literal('savePicture'),
    result,
    format: Type.Enum(['png', 'svg']),
    content: Type.String(),
  }),
  /** The filters, or the order, as SQL into the query. */
  Type.Object({ kind: Type.Literal('addToQuery'), result, filters, sort: keys }),
  /** What is selected; nothing when there are no columns. */
  Type.Object({
    kind: Type.Literal('selection'),
    result,
    generation: index,
    firstRow: index,
    lastRow: Type.Integer({ minimum: -1 }),
    columns: indexes,
  }),
  Type.Object({
    kind: Type.Literal('copy'),
    result,
    generation: index,
    firstRow: index,
    lastRow: index,
    columns: indexes,
    format: Type.Enum([...textFormats]),
    withHeaders: Type.Boolean(),
  }),
  /** What a global id names; the record behind it. */
  Type.Object({
    kind: Type.Union([Type.Literal('identify'), Type.Literal('openRecord')]),
    result,
    globalId: Type.String({ minLength: 1, maxLength: 200 }),
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
      Type.Literal('showDetails'),
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
