/**
 * A partial scanner for PostgreSQL's lexical rules. It finds `:name` placeholders, the first word, and the start of a
 * second statement. PostgreSQL itself decides validity.
 */
export interface Token {
  readonly kind: 'word' | 'placeholder' | 'symbol' | 'other';
  /** UTF-16 offsets into the text. */
  readonly start: number;
  readonly end: number;
}

const space = /[ \t\n\r\f\v]/;
const wordStart = /[A-Za-z_\u0080-\uffff]/;
const wordPart = /[\w$\u0080-\uffff]/;
const operatorPart = /[~!@#^&|`?+\-*/%<>=]/;

/**
 * Returns the tokens, without comments or whitespace. An unterminated string or comment extends to the end of the text.
 */
export function scan(text: string): Token[] {
  const tokens: Token[] = [];
  /** The kinds of open brackets. Directly inside a slice such as `a[:i]`, a colon need not start a placeholder. */
  const brackets: string[] = [];
  let run: OperatorRun = { end: 0, lastSpecial: -1, lastOther: -1 };
  let at = 0;
  while (at < text.length) {
    const start = at;
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (space.test(char)) {
      at += 1;
    } else if (char === '-' && next === '-') {
      at = endOfLine(text, at);
    } else if (char === '/' && next === '*') {
      at = endOfComment(text, at);
    } else if (
      char === "'" ||
      (/[eEbBxXnN]/.test(char) && next === "'") ||
      /^[uU]&'/.test(text.slice(at, at + 3))
    ) {
      at = endOfString(text, text.indexOf("'", at), /[eE]/.test(char));
      tokens.push({ kind: 'other', start, end: at });
    } else if (char === '"' || /^[uU]&"/.test(text.slice(at, at + 3))) {
      at = endOfQuoted(text, text.indexOf('"', at), '"', false);
      tokens.push({ kind: 'other', start, end: at });
    } else if (wordStart.test(char)) {
      while (at < text.length && wordPart.test(text.charAt(at))) at += 1;
      tokens.push({ kind: 'word', start, end: at });
    } else if (char === '$' && (next === '$' || wordStart.test(next))) {
      at = endOfDollarQuote(text, at);
      tokens.push({ kind: 'other', start, end: at });
    } else if (/\d/.test(char) || (char === '.' && /\d/.test(next))) {
      at = endOfNumber(text, at);
      tokens.push({ kind: 'other', start, end: at });
    } else if (char === ':') {
      at += 1;
      if (next === ':' || next === '=') {
        at += 1;
      } else if (/[A-Za-z_]/.test(next) && !insideSlice(tokens, brackets, text)) {
        while (/\w/.test(text.charAt(at))) at += 1;
        tokens.push({ kind: 'placeholder', start, end: at });
        continue;
      }
      tokens.push({ kind: 'symbol', start, end: at });
    } else if (operatorPart.test(char)) {
      // Read once: a run of signs is as many operators.
      if (at >= run.end) run = operatorRun(text, at);
      at = endOfOperator(run, at);
      tokens.push({ kind: 'symbol', start, end: at });
    } else {
      if (char === '(' || char === '[') brackets.push(bracketKind(char, tokens, text));
      if (char === ')' || char === ']') brackets.pop();
      at += 1;
      tokens.push({ kind: 'symbol', start, end: at });
    }
  }
  return tokens;
}

/** In `a[1:b]` and `json_object('k': v)`, a colon after an operand directly inside the bracket is not a placeholder. */
function insideSlice(tokens: readonly Token[], brackets: readonly string[], text: string): boolean {
  const innermost = brackets.at(-1);
  const before = tokens.at(-1);
  if (before === undefined || (innermost !== '[' && innermost !== 'json')) return false;
  return before.kind !== 'symbol' || /[)\]]$/.test(text.slice(before.start, before.end));
}

function bracketKind(char: string, tokens: readonly Token[], text: string): string {
  const before = tokens.at(-1);
  const isJson = before?.kind === 'word' && /^json_object(agg)?$/i.test(text.slice(before.start, before.end));
  return char === '(' && isJson ? 'json' : char;
}

function endOfLine(text: string, at: number): number {
  const end = text.slice(at).search(/[\r\n]/);
  return end < 0 ? text.length : at + end;
}

/** Finds the end of a comment. Comments nest. */
function endOfComment(text: string, at: number): number {
  let depth = 0;
  const edge = /\/\*|\*\//g;
  edge.lastIndex = at;
  for (let match = edge.exec(text); match !== null; match = edge.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return text.length;
}

/** Finds the end of a string. A string continues if a quote follows after whitespace with a line break. */
function endOfString(text: string, quote: number, escapes: boolean): number {
  let end = endOfQuoted(text, quote, "'", escapes);
  for (;;) {
    const rest = /^[ \t\f\v]*(?:--[^\r\n]*)?[\r\n](?:\s|--[^\r\n]*[\r\n])*'/.exec(text.slice(end));
    if (rest === null) return end;
    end = endOfQuoted(text, end + rest[0].length - 1, "'", escapes);
  }
}

function endOfQuoted(text: string, open: number, quote: string, escapes: boolean): number {
  let at = open + 1;
  while (at < text.length) {
    const char = text.charAt(at);
    if (escapes && char === '\\') at += 2;
    else if (char !== quote) at += 1;
    else if (text.charAt(at + 1) === quote) at += 2;
    else return at + 1;
  }
  return text.length;
}

function endOfDollarQuote(text: string, at: number): number {
  const tag = /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/.exec(text.slice(at))?.[0];
  if (tag === undefined) return at + 1;
  const end = text.indexOf(tag, at + tag.length);
  return end < 0 ? text.length : end + tag.length;
}

function endOfNumber(text: string, at: number): number {
  const number =
    /^(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*)?(?:\.(?!\.)[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)/;
  return at + Math.max(1, number.exec(text.slice(at, at + 500))?.[0].length ?? 1);
}

/** A run of characters of operators, up to a comment: what decides where each operator in it ends. */
interface OperatorRun {
  readonly end: number;
  /** The last place of one of ~ ! @ # ^ & | ` ? %, and of anything but + and -; -1 for none. */
  readonly lastSpecial: number;
  readonly lastOther: number;
}

function operatorRun(text: string, at: number): OperatorRun {
  let end = at;
  let lastSpecial = -1;
  let lastOther = -1;
  for (; operatorPart.test(text.charAt(end)) && !/^(?:--|\/\*)/.test(text.slice(end, end + 2)); end += 1) {
    const char = text.charAt(end);
    if (/[~!@#^&|`?%]/.test(char)) lastSpecial = end;
    if (char !== '+' && char !== '-') lastOther = end;
  }
  return { end, lastSpecial, lastOther };
}

/** An operator cannot end in + or - unless it contains one of ~ ! @ # ^ & | ` ? %. */
function endOfOperator({ end, lastSpecial, lastOther }: OperatorRun, at: number): number {
  return lastSpecial >= at ? end : Math.max(lastOther, at) + 1;
}
