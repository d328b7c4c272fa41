/** Converts a confirmation to an audit record: actor, time, place, change and outcome. */
import { plainMarkdown } from '#base/words/markdown.ts';
import { targetIdOf, type ChangeState, type Confirmation } from './change.ts';

export interface AuditWords {
  readonly title: string;
  readonly state: (state: ChangeState) => string;
}

export function auditJson(confirmation: Confirmation): string {
  const { id, kind, connection, environment, clientId, confirmedAt, targets } = confirmation;
  const record = {
    confirmation: id,
    operation: kind,
    connection,
    environment,
    clientId,
    confirmedAt: new Date(confirmedAt).toISOString(),
    targets: targets.map(({ operation, label, state }) => ({
      ...operation,
      label,
      ...state,
      ...('at' in state ? { at: new Date(state.at).toISOString() } : {}),
      ...('until' in state && state.until !== undefined
        ? { until: new Date(state.until).toISOString() }
        : {}),
    })),
  };
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

export function auditMarkdown(confirmation: Confirmation, words: AuditWords): string {
  const { id, connection, environment, clientId, confirmedAt, targets } = confirmation;
  const rows = targets.map(({ operation, label, state }) => {
    const job = 'jobId' in state ? state.jobId : '';
    const at = 'at' in state ? new Date(state.at).toISOString() : '';
    return [label, targetIdOf(operation), words.state(state), job, at];
  });
  const table = [
    ['Target', 'Global ID', 'Outcome', 'Job', 'At (UTC)'],
    ['---', '---', '---', '---', '---'],
    ...rows,
  ];
  return [
    `# ${words.title}`,
    '',
    `- Confirmed: ${new Date(confirmedAt).toISOString()}`,
    `- Connection: ${plainMarkdown(connection)}${environment === undefined ? '' : ` (${plainMarkdown(environment)})`}`,
    `- Client: ${plainMarkdown(clientId)}`,
    `- Confirmation: ${id}`,
    '',
    ...table.map(
      (cells, row) => `| ${cells.map((cell) => (row === 1 ? cell : plainMarkdown(cell))).join(' | ')} |`,
    ),
    '',
  ].join('\n');
}
