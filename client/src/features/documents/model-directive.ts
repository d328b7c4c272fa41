/** The `-- @model name` directive among the comments at the top of a query. */

const directive = /^--[ \t]*@model[ \t]+("?)([\w$]+)\1[ \t]*$/i;

export function modelDirectiveOf(text: string): string | undefined {
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const trimmed = line.trim();
    const match = directive.exec(trimmed);
    if (match !== null) return match[2];
    if (trimmed !== '' && !trimmed.startsWith('--')) return undefined;
  }
  return undefined;
}

/** Returns the edit that sets the model in the directive: changes its line, or inserts one at the top. */
export function modelDirectiveEdit(
  text: string,
  model: string,
): { readonly line: number; readonly text: string; readonly isNew: boolean } {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const written = `-- @model ${model}`;
  if (modelDirectiveOf(text) === undefined) return { line: 0, text: `${written}${eol}`, isNew: true };
  const line = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .findIndex((each) => directive.test(each.trim()));
  return { line, text: written, isNew: false };
}
