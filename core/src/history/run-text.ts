/** Converts a run from the history to a query document with the time, outcome, model, parameters and SQL. */
import { recordedText } from '#base/words/moment-text.ts';
import type { RunRecord, RunRecordParameter } from './run-record.ts';

export function runText(run: RunRecord, outcome: string): string {
  const environment = run.environment === undefined ? '' : ` (${run.environment})`;
  const version =
    run.savedQuery === undefined
      ? ''
      : ` v${run.savedQuery.version}${run.savedQuery.isModified ? ' (edited)' : ''}`;
  const part = run.part === undefined ? '' : ` · ${run.part}`;
  const head = [
    `${run.title}${version}${part}`,
    `run ${recordedText(run.startedAt)}`,
    `on ${run.connection}${environment}`,
    ...(run.savedQuery?.connection === undefined ? [] : [`text of ${run.savedQuery.connection}`]),
    outcome,
  ].join(', ');
  return [
    `-- ${oneLine(head)}`,
    `-- @model ${run.model}`,
    ...run.parameters.map(declarationOf),
    '',
    run.sql,
    '',
  ].join('\n');
}

function declarationOf({ name, type, value }: RunRecordParameter): string {
  const start = `-- @param ${name} ${type}`;
  if (value === undefined) return `${start} Its value was not kept`;
  if (value.isNull) return `${start} It was NULL`;
  if (value.isEmpty === true) return `${start} It was empty`;
  const text = type.endsWith('[]') ? value.text.trim().replace(/[\r\n]+/g, ', ') : value.text;
  // A comment cannot contain a multi-line value.
  return /[\r\n]/.test(text) || text === '' ? start : `${start} = '${text.replaceAll("'", "''")}'`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
