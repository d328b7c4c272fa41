/** Removes inspections and type findings, for tests of other checks, whose snippets may contain such problems. */
import type { Finding } from '#server/language/checks/finding.ts';
import { inspectionCodes } from '#server/language/checks/inspections/model.ts';
import { typeCodes } from '#server/language/types/typing.ts';

const codes: ReadonlySet<string> = new Set([...inspectionCodes, ...typeCodes]);

export const withoutInspections = (findings: readonly Finding[] = []): readonly Finding[] =>
  findings.filter(({ code }) => !codes.has(code));
