/**
 * Formats a run as SARIF 2.1.0 (OASIS): one rule per control, one result per control that did not pass. Waivers become
 * suppressions, and the baseline becomes the baseline state.
 */
import { sarifMessage } from '#base/shown-text/for-sarif.ts';
import { escapeHiddenInLines } from '#base/shown-text/hidden-characters.ts';
import type { ControlResult, RowState } from '../control-result.ts';
import type { ControlSeverity } from '../control.ts';
import { tagText } from '../tags.ts';
import { nameOf, noteText, waiverText, type ControlReport } from './report.ts';

/** Scores by which code hosts sort results (GitHub's `security-severity`). */
const securitySeverities: Readonly<Record<ControlSeverity, string>> = {
  none: '0.0',
  low: '3.0',
  medium: '5.0',
  high: '8.0',
  critical: '9.5',
};

/** Maximum row results per control. Code hosts accept only a few thousand results per run. */
const rowResultsMax = 100;

export function sarifOfControls({ results, startedAt, ms, problems }: ControlReport): unknown {
  // A control that ran on several connections is one rule.
  const rules = [
    ...new Map(
      results.filter(({ control }) => control.id !== '').map((result) => [result.control.id, result]),
    ).values(),
  ];
  const places = new Map(rules.map(({ control }, index) => [control.id, index]));
  const told = results.filter(({ outcome }) => outcome !== 'pass');
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Identity Queries', rules: rules.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        automationDetails: { id: 'identity-queries/controls/' },
        invocations: [
          {
            executionSuccessful: problems.length === 0 && results.every(({ outcome }) => outcome !== 'error'),
            startTimeUtc: startedAt.toISOString(),
            endTimeUtc: new Date(startedAt.getTime() + ms).toISOString(),
            toolExecutionNotifications: [
              ...problems.map((problem) => ({ level: 'error', message: sarifMessage(noteText(problem)) })),
              ...results.flatMap(({ notes }) =>
                notes.map((note) => ({ level: 'warning', message: sarifMessage(noteText(note)) })),
              ),
            ],
          },
        ],
        results: told.flatMap((result) => resultsOf(result, places.get(result.control.id) ?? -1)),
      },
    ],
  };
}

function ruleOf(result: ControlResult): unknown {
  const { id, title, description, severity, tags, owner } = result.control;
  return {
    id,
    ...(title === '' || title === id ? {} : { name: escapeHiddenInLines(title) }),
    shortDescription: sarifMessage(title === '' ? id : title),
    ...(description === undefined ? {} : { fullDescription: sarifMessage(description) }),
    properties: {
      'security-severity': securitySeverities[severity],
      severity,
      tags: tags.map((tag) => sarifMessage(tagText(tag)).text),
      ...(owner === undefined ? {} : { owner: escapeHiddenInLines(owner) }),
    },
  };
}

function resultsOf(result: ControlResult, ruleIndex: number): readonly unknown[] {
  const { control, connection, outcome, message, code, digests } = result;
  const base = {
    ruleId: control.id === '' ? 'INVALID_CONTROL' : control.id,
    ...(ruleIndex < 0 ? {} : { ruleIndex }),
    level: outcome === 'warn' ? 'warning' : outcome === 'waived' ? 'note' : 'error',
    locations: [locationOf(result)],
    properties: { outcome, ...(code === undefined ? {} : { code }) },
  };
  const all = {
    ...base,
    message: sarifMessage(`${nameOf(result)}: ${message}`),
    ...(outcome === 'waived'
      ? { suppressions: [{ kind: 'external', justification: 'Every row is waived.' }] }
      : {}),
    ...stateOf(result),
  };
  if (outcome === 'error' || digests.length === 0) return [all];
  // The digests identify rows, so a code host can track them without access to their content.
  return digests.slice(0, rowResultsMax).map((row) => ({
    ...base,
    message: sarifMessage(
      `${nameOf(result)}: ${rowWords[row.state]} (${row.digest.slice(0, 12)}). ${message}`,
    ),
    partialFingerprints: {
      // The same key may be another row on another connection.
      'identityQueriesRow/v1': connection === undefined ? row.digest : `${row.digest} ${connection}`,
    },
    ...(result.hasBaseline ? { baselineState: row.state === 'new' ? 'new' : 'unchanged' } : {}),
    ...(row.state === 'waived'
      ? { suppressions: [{ kind: 'external', justification: sarifMessage(waiverText(row)).text }] }
      : {}),
  }));
}

const rowWords: Readonly<Record<RowState, string>> = {
  new: 'a row',
  known: 'a row of the baseline',
  waived: 'a waived row',
};

function stateOf({ hasBaseline, rows }: ControlResult): { readonly baselineState?: 'new' | 'unchanged' } {
  if (!hasBaseline || rows === undefined) return {};
  return { baselineState: rows.known > 0 && rows.counted <= rows.known ? 'unchanged' : 'new' };
}

function locationOf({ place, line }: ControlResult): unknown {
  const uri =
    place.savedQueryId === undefined
      ? pathUri(place.name)
      : `saved-queries/${[place.savedQueryId, place.name].map(partUri).join('/')}.identity.sql`;
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } };
}

/** Keeps relative paths relative, since the report may be read on a machine where the repository is elsewhere. */
function pathUri(file: string): string {
  return file.split('/').map(partUri).join('/');
}

/** Half a character in one name would otherwise cost the whole report. */
function partUri(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}
