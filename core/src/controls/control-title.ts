/** Reads a control's name without the lexer, which is not loaded at startup. */

const directive = /^--[ \t]*@control[ \t]+(\S.*)$/;

/**
 * Returns a title such as "AC-07 Admins without MFA"; undefined if the comments above the query do not name a control.
 */
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
