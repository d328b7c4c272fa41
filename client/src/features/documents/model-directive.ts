/** The `-- @model name` directive among the comments at the top of a query. */

const directive = /^--[ \t]*@model[ \t]+("?)([\w$]+)\1[ \t]*$/i;

/** Undefined when there is none. */
export function modelDirectiveOf(text: string): string | undefined {
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const trimmed = line.trim();
    const match = directive.exec(trimmed);
    if (match !== null) return match[2];
    if (trimmed !== '' && !trimmed.startsWith('--')) return undefined;
  }
  return undefined;
}

/** The text with its directive naming this model: changed in place, else added as the first line. */
export function withModelDirective(text: string, model: string): string {
  const eol = /\r\n/.test(text) ? '\r\n' : '\n';
  const lines = text.split(/\r\n|\n/);
  const isDirective = (line: string) => directive.test(line.trim());
  if (modelDirectiveOf(text) === undefined) return `-- @model ${model}${eol}${text}`;
  const at = lines.findIndex(isDirective);
  lines[at] = `-- @model ${model}`;
  return lines.join(eol);
}
