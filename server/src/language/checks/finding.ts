/** Findings from checks: data with a range, not exceptions. */
import { defaultSeverities, type FindingCode, type Severity } from '#base/finding-severities.ts';
import type { Edit } from '../text/edits.ts';

export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
}

export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** One or two sentences: the problem and the remedy. */
  readonly message: string;
  /** UTF-16 offsets in the analyzed text. */
  readonly start: number;
  readonly end: number;
  /** A fix that is certain enough to offer without further checks. */
  readonly fix?: Fix;
  /** A fix to offer only if the fixed text is valid, which is checked on request. */
  readonly unprovenFix?: Fix;
  /** Fixes to choose from, since none is certain to be meant. Each is offered only if it leaves fewer errors. */
  readonly alternatives?: readonly Fix[];
}

/** The user's severity for each code; `off` disables the code. */
export type SeveritySettings = Readonly<Partial<Record<FindingCode, Severity | 'off'>>>;

/** Applies the user's severities, and drops findings whose code is off. */
export function applySeverities(
  findings: readonly Finding[],
  settings: SeveritySettings,
): readonly Finding[] {
  return findings.flatMap((found) => {
    const severity = settings[found.code];
    return severity === 'off' ? [] : [severity === undefined ? found : { ...found, severity }];
  });
}

/** Creates a finding with the default severity of its code. */
export function finding(code: FindingCode, message: string, start: number, end: number): Finding {
  return { code, severity: defaultSeverities[code], message, start, end };
}

const severityWords: ReadonlySet<unknown> = new Set(['error', 'warning', 'information', 'hint', 'off']);

/** Parses the severity settings. Unknown codes and severities are ignored. */
export function parseSeverities(value: unknown): SeveritySettings {
  if (typeof value !== 'object' || value === null) return {};
  const known = Object.entries(value).filter(
    ([code, severity]) => Object.hasOwn(defaultSeverities, code) && severityWords.has(severity),
  );
  return Object.fromEntries(known);
}
