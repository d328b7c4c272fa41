/**
 * A control: a query whose first lines state its expected result. Parsed from its text alone, so the definition travels
 * with it.
 */
import {
  readControlDirectives,
  type ControlSeverity,
  type Tag,
} from '../../../server/src/language/text/control-directives.ts';
import { readDirectives, type Directive } from '../../../server/src/language/text/directives.ts';
import { lex } from '../../../server/src/language/text/lexer/lex.ts';
import { LineIndex } from '../../../server/src/language/text/lines.ts';
import { TokenKind, type LexedText } from '../../../server/src/language/text/lexer/tokens.ts';
import { parameterDeclarations, type ParameterDeclaration } from '../parameters/declarations.ts';
import { rulesOf, type Rules } from './rules.ts';

export type { ControlSeverity, Tag };

export interface Control {
  /** Unique among the controls of a run. Empty if the text names none; then `problems` reports it. */
  readonly id: string;
  readonly title: string;
  /** The plain comments above the query, one per line. Undefined if there are none. */
  readonly description?: string;
  readonly rules: Rules;
  readonly severity: ControlSeverity;
  /** Columns that identify a row over time; empty: rows can be neither waived nor known. */
  readonly key: readonly string[];
  readonly owner?: string;
  readonly tags: readonly Tag[];
  /**
   * The `@param` declarations with their defaults; without a default for each parameter, a control cannot run
   * unattended.
   */
  readonly parameters: readonly ParameterDeclaration[];
  /** 1-based lines. */
  readonly lines: {
    readonly control: number;
    /** Line of `@expect`, else of the threshold, else of `@control`: the place of messages about the outcome. */
    readonly expect: number;
  };
  /** Any of these turns the outcome into an error. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Undefined if the text is not a control. */
export function readControl(text: string): Control | undefined {
  const lexed = lex(text);
  const directives = readDirectives(lexed);
  const read = readControlDirectives(directives);
  if (read === undefined) return undefined;
  const lines = new LineIndex(text);
  const lineAt = (offset: number) => lines.positionAt(offset).line + 1;
  const lineOf = (directive: Directive | undefined) => lineAt(directive?.start ?? 0);
  const { places } = read;
  const description = descriptionOf(lexed, directives);
  return {
    id: read.id,
    title: read.title === '' ? read.id : read.title,
    rules: rulesOf(read),
    severity: read.severity ?? 'medium',
    key: read.key.map(({ name }) => name),
    tags: read.tags,
    parameters: [...parameterDeclarations(text).values()],
    lines: {
      control: lineOf(places.get('control')),
      expect: lineOf(
        places.get('expect') ?? places.get('error_if') ?? places.get('warn_if') ?? places.get('control'),
      ),
    },
    problems: read.problems.map(({ start, message }) => ({ line: lineAt(start), message })),
    ...(read.owner === undefined ? {} : { owner: read.owner }),
    ...(description === '' ? {} : { description }),
  };
}

function descriptionOf({ all }: LexedText, directives: readonly Directive[]): string {
  const starts = new Set(directives.map(({ start }) => start));
  const lines: string[] = [];
  for (let index = 0; index < all.length; index++) {
    const kind = all.kind(index);
    if (kind !== TokenKind.comment && kind !== TokenKind.whitespace) break;
    const comment = all.textOf(index);
    if (kind === TokenKind.comment && comment.startsWith('--') && !starts.has(all.start(index)))
      lines.push(comment.slice(2).trim());
  }
  return lines.join('\n').trim();
}
