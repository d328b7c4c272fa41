/** The schema of the panel's messages; loaded with the first message, so that it does not slow down activation. */
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { AskMessage } from '#core/questions/line-messages.ts';
import { textFormats } from '#core/rows/files/text-writer.ts';
import { chartTypes, combinations, measureKinds, timeUnits } from '#core/rows/rows.ts';
import { timePeriods } from '#core/rows/summary/time-periods.ts';
import type { PanelBody, PanelQuestion, PanelQuestions } from './panel-questions.ts';

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

const range = Type.Object({ firstRow: index, lastRow: Type.Integer({ minimum: -1 }), columns: indexes });
const groupColumn = Type.Object({ column: index, unit: Type.Optional(Type.Enum([...timeUnits])) });
const grouping = Type.Object({
  by: Type.Array(groupColumn, { minItems: 1, maxItems: 3 }),
  across: Type.Optional(groupColumn),
  measure: Type.Object({ kind: Type.Enum([...measureKinds]), column: Type.Optional(index) }),
});
const globalId = Type.String({ minLength: 1, maxLength: 200 });

/** The request schema of each question. */
const requests = {
  window: Type.Object({
    firstRow: index,
    rowCount: Type.Integer({ minimum: 1, maximum: 1_000 }),
    columns: indexes,
  }),
  cell: Type.Object({ row: index, column: index }),
  records: Type.Object({ rows: indexes }),
  values: Type.Object({ column: index }),
  find: Type.Object({
    text: Type.String(),
    matchCase: Type.Boolean(),
    columns: indexes,
    from: Type.Object({ row: index, place: Type.Integer({ minimum: -1 }) }),
    backwards: Type.Boolean(),
  }),
  chart: Type.Object({
    type: Type.Enum([...chartTypes]),
    x: index,
    y: Type.Optional(index),
    combination: Type.Optional(Type.Enum([...combinations])),
    split: Type.Optional(index),
    measures: Type.Optional(indexes),
    keepsTimes: Type.Optional(Type.Boolean()),
    period: Type.Optional(Type.Enum([...timePeriods])),
  }),
  distinct: range,
  selection: Type.Object({ ...range.properties, isCovered: Type.Optional(Type.Boolean()) }),
  layout: Type.Object({ columns: indexes }),
  copy: Type.Object({ range, format: Type.Enum([...textFormats]), withHeaders: Type.Boolean() }),
  identify: Type.Object({ globalId }),
} satisfies Readonly<Record<PanelQuestion, TSchema>>;

/** Fails to compile unless the schemas match the questions. */
type Checked<Requests extends { readonly [Name in PanelQuestion]: PanelQuestions[Name]['request'] }> =
  Requests;
export type PanelRequests = Checked<{
  readonly [Name in PanelQuestion]: Static<(typeof requests)[Name]>;
}>;

const body = Type.Object({
  of: Type.Object({ result, run: index, generation: index }),
  asked: Type.Union(
    Object.entries(requests).map(([name, request]) => Type.Object({ question: Type.Literal(name), request })),
  ),
});
const question = Type.Union([
  Type.Object({ kind: Type.Literal('ask'), id: index, body }),
  Type.Object({ kind: Type.Literal('stop'), id: index }),
]);

/** Messages from the page that need no answer. */
const PanelCommand = Type.Union([
  Type.Object({ kind: Type.Literal('ready') }),
  /** The page has received the focus, but not by a click. */
  Type.Object({ kind: Type.Literal('focused') }),
  /** `row` is the active row, which the page follows. */
  Type.Object({
    kind: Type.Literal('sortAndFilter'),
    result,
    sort: keys,
    filters,
    row: Type.Optional(index),
  }),
  Type.Object({ kind: Type.Literal('export'), result }),
  /** Selection, scroll position and columns as text, kept for the next page that shows the result. */
  Type.Object({ kind: Type.Literal('look'), result, look: Type.String() }),
  /** Gives the panel the whole height of the window. */
  Type.Object({ kind: Type.Literal('maximize'), result }),
  /** PNG as base64, SVG unchanged. */
  Type.Object({
    kind: Type.Literal('savePicture'),
    result,
    format: Type.Enum(['png', 'svg']),
    content: Type.String(),
  }),
  /** Adds the filters or sort order to the query as SQL. */
  Type.Object({ kind: Type.Literal('addToQuery'), result, filters, sort: keys }),
  /** Opens a record by its global ID. */
  Type.Object({ kind: Type.Literal('openRecord'), result, globalId }),
  /** Opens the grouped rows as a separate result, or in place of earlier groups. */
  Type.Object({ kind: Type.Literal('group'), result, grouping, replaces: Type.Optional(result) }),
  /** Opens the record of a row, or a cell's value if the row has no record. */
  Type.Object({ kind: Type.Literal('openRow'), result, row: index, column: index }),
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
      Type.Literal('showEarlier'),
      Type.Literal('compareText'),
      Type.Literal('whatChanged'),
      Type.Literal('select'),
      Type.Literal('close'),
      Type.Literal('pin'),
    ]),
    result,
  }),
]);
export type PanelCommand = Static<typeof PanelCommand>;
/** Panel to host. */
export type PanelMessage = PanelCommand | AskMessage<PanelBody>;

/** Returns undefined for unknown messages. */
export function parsePanelMessage(message: unknown): PanelMessage | undefined {
  if (Value.Check(PanelCommand, message)) return message;
  return Value.Check(question, message) ? message : undefined;
}
