/** Formats a run as JSON, for other programs. */
import { exitCodeOf, type ControlResult } from '../control-result.ts';
import { tagText } from '../tags.ts';
import type { ControlReport } from './report.ts';

export function jsonOfControls({ results, startedAt, ms, connection, problems }: ControlReport): unknown {
  return {
    version: 1,
    connection,
    startedAt: startedAt.toISOString(),
    ms: Math.round(ms),
    exitCode: problems.length > 0 ? 2 : exitCodeOf(results),
    results: results.map(resultOf),
    problems,
  };
}

function resultOf(result: ControlResult): unknown {
  const { control, place, line, outcome, message, code, rows, digests, notes, ms, sample } = result;
  const { id, title, severity, owner, tags, key, rules } = control;
  return {
    id,
    title,
    connection: result.connection,
    outcome,
    message,
    code,
    severity,
    owner,
    tags: tags.map(tagText),
    key,
    expected: rules.expected,
    place: { ...place, line },
    rows,
    population:
      result.population === undefined
        ? undefined
        : { count: result.population.count, countedAt: result.population.countedAt.toISOString() },
    digests,
    notes,
    startedAt: result.startedAt.toISOString(),
    ms,
    sample,
  };
}
