/** A control: a query that says at its top what its answer must be. Read from its text alone, so it travels with it. */
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
  /** Unique among the controls of a run. Empty where the text names none: `problems` says so. */
  readonly id: string;
  readonly title: string;
  /** The plain comments above the query, a line each. Undefined without any. */
  readonly description?: string;
  readonly rules: Rules;
  readonly severity: ControlSeverity;
  /** Names of the columns that tell a row from others over time; empty: rows cannot be waived or known. */
  readonly key: readonly string[];
  readonly owner?: string;
  readonly tags: readonly Tag[];
  /** What `@param` declares, with its defaults; a control without a default for each parameter cannot run by itself. */
  readonly parameters: readonly ParameterDeclaration[];
  /** 1-based lines. */
  readonly lines: {
    readonly control: number;
    /** Of `@expect`, else of the threshold, else of `@control`: where a message about the outcome stands. */
    readonly expect: number;
  };
  /** Any of these makes the outcome an error. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Undefined where the text is no control. */
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
