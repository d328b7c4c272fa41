/** The control metadata of a pack's query, for lists and search. */
import { readControl, type Control } from '../controls/control.ts';

export interface ControlText {
  readonly id: string;
  readonly title: string;
  readonly severity: string;
  /** For example `soc2=CC6.1`. */
  readonly tags: readonly string[];
  readonly finds: string;
  readonly why: string;
  readonly advice: string;
}

const headings = { Finds: 'finds', 'Why it matters': 'why', 'What to do': 'advice' } as const;
type Section = (typeof headings)[keyof typeof headings];

/** @returns undefined if the text is not a control. */
export function controlText(text: string): ControlText | undefined {
  const control = readControl(text);
  if (control === undefined) return undefined;
  const { id, title, severity } = control;
  return { id, title, severity, tags: tagsOf(control), ...sectionsOf(control.description ?? '') };
}

function tagsOf({ tags }: Control): readonly string[] {
  return tags.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`));
}

/**
 * Splits a description at the headings `Finds:`, `Why it matters:` and `What to do:`. Text without a heading describes
 * the finding.
 */
function sectionsOf(description: string): Readonly<Record<Section, string>> {
  const said: Record<Section, string[]> = { finds: [], why: [], advice: [] };
  let section: Section = 'finds';
  for (const line of description.split('\n')) {
    const [, heading, rest] = /^(Finds|Why it matters|What to do):\s*(.*)$/.exec(line) ?? [];
    if (heading !== undefined) section = headings[heading as keyof typeof headings]; // the pattern matches only these headings
    said[section].push(rest ?? line.trim());
  }
  const join = (lines: readonly string[]): string => lines.join(' ').trim();
  return { finds: join(said.finds), why: join(said.why), advice: join(said.advice) };
}
