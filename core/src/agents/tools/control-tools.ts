/** Runs a control for an agent, with the same checks and masks as a query. The outcome is never guessed. */
import { Type } from 'typebox';
import type { ParameterValue } from '#api/contract/execute.ts';
import { limits as contractLimits } from '#api/contract/limits.ts';
import { parseValue } from '#base/values/parse-value.ts';
import { holds } from '#core/connections/agent-level.ts';
import { UnknownOutcome } from '#core/controls/control-rows.ts';
import { readControl, type Control } from '#core/controls/control.ts';
import { rowsThatSettle } from '#core/controls/rules.ts';
import { populationOf } from '#core/controls/run-control.ts';
import { allOrigins } from '#core/policy/masking/relations.ts';
import {
  answerControl,
  decidesBySensitive,
  limitOfControl,
  sensitiveRule,
  type ControlAnswer,
} from '../answers/control-answer.ts';
import { fitName, fitText, textLengths } from '../answers/fit-values.ts';
import { readUntil, shownMax } from '../answers/rows-answer.ts';
import { answerFailure } from '../failure-answer.ts';
import type { CheckedForAgent } from '../query-checks.ts';
import { auditOf, limitedText, parametersRefused, readerOf } from './run-checked.ts';
import { MaxRows, ModelName, Parameters, QueryId, rowsFields, SqlText } from './schemas.ts';
import { agentTool, refused, refusedFor, type Outcome, type TextRefusal, type ToolContext } from './tool.ts';

interface Asked {
  readonly text: string;
  readonly model: string | undefined;
  readonly writer: 'agent' | 'person';
  /** The subject of the call in the log. */
  readonly subject?: string;
  readonly version?: number;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly maxRows: number | undefined;
}

export const runControl = agentTool({
  name: 'run_control',
  title: 'Control',
  description:
    'Runs a control, a query whose comments say by @control and @expect what its answer must be: the id of a saved query, or SQL where the connection allows yours. Answers its outcome (pass, warn, fail, or error where it is not known), how many rows there are, and rows, sensitive values masked. Waivers and baselines are not looked at.',
  level: 'saved',
  isRun: true,
  input: Type.Object(
    {
      id: Type.Optional(QueryId),
      sql: Type.Optional(SqlText),
      model: ModelName,
      parameters: Parameters,
      max_rows: MaxRows,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...rowsFields,
    outcome: Type.Optional(
      Type.Union(
        (['pass', 'warn', 'fail', 'error'] as const).map((outcome) => Type.Literal(outcome)),
        { description: 'error: it is not known. Never take that for a pass.' },
      ),
    ),
    message: Type.Optional(Type.String()),
    counts: Type.Optional(
      Type.Object({
        read: Type.Integer(),
        isAll: Type.Boolean({ description: 'false: reading stopped where the outcome was known.' }),
        total: Type.Optional(Type.Integer()),
      }),
    ),
    control: Type.Optional(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        severity: Type.String(),
        expected: Type.String(),
      }),
    ),
    version: Type.Optional(Type.Integer()),
  }),
  async run({ id, sql, model, parameters = {}, max_rows: maxRows }, context) {
    if ((id === undefined) === (sql === undefined) || (id !== undefined && model !== undefined))
      return withError(
        refused(
          'input',
          'A control is specified either by `id`, or by `sql` and `model`.',
          'Give only one of the two.',
        ),
      );
    const given = { parameters, maxRows };
    if (id === undefined) {
      if (!holds(context.connection.level, 'select'))
        return withError(
          refused(
            'not-allowed',
            "The connection does not allow an agent's own SQL.",
            'Run a control that a person saved, by its ID.',
          ),
        );
      return await runAsked({ text: sql ?? '', model, writer: 'agent', ...given }, context);
    }
    const { savedQueries } = await context.connection.service();
    const query = await savedQueries.get(id, { signal: context.signal });
    const { query_string: text, version } = query;
    const subject = `${id}@${version}`;
    return await runAsked(
      { text, model: query.model, writer: 'person', subject, version, ...given },
      context,
    );
  },
});

async function runAsked(asked: Asked, context: ToolContext): Promise<Outcome> {
  const { text, subject, version } = asked;
  const control = readControl(text);
  if (control === undefined)
    return withError(
      refused(
        'no-control',
        'The text is not a control: it has no line -- @control.',
        'Run queries that are not controls with run_saved_query and run_query.',
      ),
      { sql: text, ...(subject === undefined ? {} : { subject }) },
    );
  const { answer, audit } = await judged(control, asked, context);
  const told = {
    id: fitName(control.id),
    title: fitName(control.title),
    severity: control.severity,
    expected: fitText(control.rules.expected, textLengths.description),
  };
  return {
    answer: { ...answer, ...{ control: told, ...(version === undefined ? {} : { version }) } },
    audit: { ...audit, ...(subject === undefined ? {} : { subject }) },
  };
}

async function judged(control: Control, asked: Asked, context: ToolContext): Promise<Outcome> {
  const [problem] = control.problems;
  if (problem !== undefined) {
    const advice = `Correct line ${problem.line} of the text.`;
    const reason = 'A directive of the control is not valid.';
    const code: TextRefusal = 'invalid-directive';
    return withError(refusedFor(problem.message, { code, reason, advice }), { sql: asked.text });
  }
  const { connection, checks } = context;
  // If a person wrote both the text and the values, the query counts as having no parameters
  // (docs/decisions/agents-and-defaults.md).
  const isFree = asked.writer === 'agent' || Object.keys(asked.parameters).length > 0;
  const { text, model, writer } = asked;
  const checked = await checks.checkOn(connection, { text, model, writer, hasOwnValues: !isFree });
  const { permission, sql } = checked;
  if (permission.kind === 'refused') return withError(refusedFor(permission.what, permission), { sql });
  if (isFree && decidesBySensitive(control, permission.columns))
    return withError(refused('sensitive-column', sensitiveRule, 'Count rows.'), { sql });
  const population = await populationIn(
    control,
    { text, model: checked.model, writer, hasOwnValues: !isFree },
    context,
  );
  if (population !== undefined && 'refused' in population)
    return withError(population.refused, { sql: population.sql });
  const names = [...new Set([...checked.parameters, ...(population?.checked.parameters ?? [])])];
  const values = { ...defaultsOf(control, names), ...asked.parameters };
  const wrong = parametersRefused(names, Object.keys(values));
  if (wrong !== undefined) return withError(wrong, { sql });
  const { maxRows } = asked;
  return await sent(control, { checked, permission, population, values, isFree, maxRows }, context);
}

type Granted = Extract<CheckedForAgent['permission'], { kind: 'go' }>;

/** The query that counts what a control looks at. */
interface Population {
  readonly checked: CheckedForAgent;
  readonly permission: Granted;
}

/** Checks the query of the population like that of the control. Its number is told, and decides. */
async function populationIn(
  { population }: Control,
  asked: Parameters<ToolContext['checks']['checkOn']>[1],
  { connection, checks }: ToolContext,
): Promise<Population | { readonly refused: Outcome; readonly sql: string } | undefined> {
  if (population === undefined) return undefined;
  const checked = await checks.checkOn(connection, { ...asked, text: population.sql });
  const { permission, sql } = checked;
  if (permission.kind === 'refused') return { refused: refusedFor(permission.what, permission), sql };
  return allOrigins(permission.columns).some((origin) => origin !== undefined)
    ? { refused: refused('sensitive-column', sensitiveRule, 'Count rows.'), sql }
    : { checked, permission };
}

interface Sendable {
  readonly checked: CheckedForAgent;
  readonly permission: Granted;
  readonly population: Population | undefined;
  readonly values: Values;
  readonly isFree: boolean;
  readonly maxRows: number | undefined;
}

async function sent(
  control: Control,
  { checked, permission, population, values, isFree, maxRows }: Sendable,
  context: ToolContext,
): Promise<Outcome> {
  const { connection, masker } = context;
  const { limits } = connection;
  const most = shownMax({ limits, maxRows });
  const rowLimit = limitOfControl(control, most);
  const sql = limitedText(checked, rowLimit);
  const logged = population === undefined ? sql : `${population.checked.sql};\n${sql}`;
  try {
    const count = await populationOf(control, async (single) => {
      if (population === undefined) return;
      const given = { parameters: valuesFor(population.checked, values), pageSize: 2 };
      const open = await readerOf(population.checked, population.permission.permit, context, given);
      await readUntil(open(single, 2), () => single.isDone);
    });
    const open = await readerOf({ ...checked, sql }, permission.permit, context, {
      parameters: valuesFor(checked, values),
      pageSize: Math.min(
        contractLimits.executePageSizeMax,
        Math.max(rowsThatSettle(control.rules), most + 1),
      ),
    });
    const expected = permission.columns;
    const answer: ControlAnswer = await answerControl(open, {
      control,
      isFree,
      expected,
      isWhole: permission.limit !== undefined,
      rowLimit: permission.limit === 'missing' ? rowLimit : undefined,
      population: count,
      masker,
      limits,
      maxRows,
    });
    return { answer, audit: auditOf(logged, answer) };
  } catch (error) {
    const failed =
      error instanceof UnknownOutcome
        ? refusedFor(error.message, {
            code: error.code.toLowerCase().replaceAll('_', '-'),
            reason: 'The outcome is not known.',
          })
        : answerFailure(error);
    return withError(failed, { sql: logged });
  }
}

type Values = Readonly<Record<string, ParameterValue>>;

const valuesFor = ({ parameters }: CheckedForAgent, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => parameters.includes(name)));

/** Returns the values of `@param` lines for the parameters that the texts use. */
function defaultsOf({ parameters }: Control, names: readonly string[]): Values {
  const now = new Date();
  return Object.fromEntries(
    parameters.flatMap(({ name, type, defaultText }) => {
      if (defaultText === undefined || !names.includes(name)) return [];
      const parsed = parseValue(type, defaultText, now);
      return parsed.problem === undefined ? [[name, parsed.value] as const] : [];
    }),
  );
}

/** Adds the outcome `error` to a refusal, so that it cannot be mistaken for a pass. */
function withError({ answer }: Outcome, audit: Outcome['audit'] = {}): Outcome {
  return { answer: { ...answer, ...{ outcome: 'error' } }, audit };
}
