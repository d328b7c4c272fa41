/** A control's name, read without the lexer, which a window's start does not load. */

const directive = /^--[ \t]*@control[ \t]+(\S.*)$/;

/** "AC-07 Admins without MFA"; undefined if the comments above the query name no control. */
export function controlTitleOf(text: string): string | undefined {
  for (const line of text.split('\n', headLinesMax)) {
    const trimmed = line.trim();
    if (trimmed !== '' && !trimmed.startsWith('--')) return undefined;
    const [, title] = directive.exec(trimmed) ?? [];
    if (title !== undefined) return title.replaceAll(/\s+/g, ' ');
  }
  return undefined;
}

const headLinesMax = 200;
