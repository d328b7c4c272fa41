/** Tools that check and run the agent's own SQL. */
import { Type } from 'typebox';
import { fitName, fitText, textLengths } from '../answers/fit-values.ts';
import { runChecked } from './run-checked.ts';
import { answerFields, MaxRows, ModelName, Parameters, rowsFields, SqlText } from './schemas.ts';
import { agentTool, refusedFor } from './tool.ts';

const findingsMax = 20;

export const checkSql = agentTool({
  name: 'check_sql',
  title: 'Check SQL',
  description:
    'Checks a query without running it: errors, whether it would run, and which columns of its result are masked.',
  level: 'schema',
  isRun: false,
  input: Type.Object({ sql: SqlText, model: ModelName }, { additionalProperties: false }),
  output: Type.Object({
    ...answerFields,
    wouldRun: Type.Optional(Type.Boolean()),
    findings: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.String(),
          severity: Type.String(),
          message: Type.String(),
          line: Type.Integer({ description: 'From 1.' }),
        }),
      ),
    ),
    columns: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), masked: Type.Optional(Type.String()) })),
    ),
    parameters: Type.Optional(Type.Array(Type.String())),
  }),
  async run({ sql, model }, { connection, checks }) {
    const asked = { text: sql, model, writer: 'agent' } as const;
    const { permission, findings, parameters } = await checks.checkOn(connection, asked);
    const told = findings.slice(0, findingsMax).map(({ code, severity, message, start }) => ({
      code,
      severity,
      message: fitText(message, textLengths.description),
      line: sql.slice(0, start).split('\n').length,
    }));
    const common = { findings: told, parameters };
    if (permission.kind === 'refused') {
      const { answer } = refusedFor(permission.what, permission);
      return {
        answer: { ...answer, status: 'complete', wouldRun: false, ...common },
        audit: { sql },
      };
    }
    const columns = permission.columns.list.map(({ name, origin }) => ({
      name: fitName(name),
      ...(origin === undefined ? {} : { masked: origin.isExact ? 'token' : 'hidden' }),
    }));
    return { answer: { status: 'complete', wouldRun: true, columns, ...common }, audit: { sql } };
  },
});

export const runQuery = agentTool({
  name: 'run_query',
  title: 'SQL Query',
  description:
    'Runs one SELECT and returns its rows. Sensitive values are returned as tokens such as email:1f3a9c2b. The query may select them, but may not filter, join, sort, group or compute by them.',
  level: 'select',
  isRun: true,
  input: Type.Object(
    { sql: SqlText, model: ModelName, parameters: Parameters, max_rows: MaxRows },
    { additionalProperties: false },
  ),
  output: Type.Object(rowsFields),
  async run({ sql, model, parameters, max_rows: maxRows }, context) {
    const { connection, checks } = context;
    const checked = await checks.checkOn(connection, { text: sql, model, writer: 'agent' });
    return await runChecked(checked, { parameters, maxRows }, context);
  },
});
