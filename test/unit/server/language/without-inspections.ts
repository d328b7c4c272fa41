/** For tests of the other checks: their snippets are not written to please the inspections. */
import type { Finding } from '../../../../server/src/language/checks/finding.ts';
import { inspectionCodes } from '../../../../server/src/language/checks/inspections/model.ts';

const codes: ReadonlySet<string> = new Set(inspectionCodes);

export const withoutInspections = (findings: readonly Finding[] = []): readonly Finding[] =>
  findings.filter(({ code }) => !codes.has(code));
