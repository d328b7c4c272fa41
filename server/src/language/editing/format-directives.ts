/** Formats directives canonically: one space after the dashes and the name, with normalized thresholds and lists. */
import { isDirectiveName, writtenArgument } from '../text/control-directives.ts';
import { readDirectives } from '../text/directives.ts';
import { lex } from '../text/lexer/lex.ts';

/** Leaves arguments that cannot be parsed unchanged. */
export function withWrittenDirectives(text: string): string {
  let written = '';
  let end = 0;
  for (const directive of readDirectives(lex(text))) {
    const { name, argument, start } = directive;
    if (!isDirectiveName(name)) continue;
    const own = writtenArgument(directive) ?? argument;
    written += `${text.slice(end, start)}-- @${name}${own === '' ? '' : ` ${own}`}`;
    end = directive.argumentEnd;
    while (text[end] === ' ' || text[end] === '\t') end += 1;
  }
  return written + text.slice(end);
}
