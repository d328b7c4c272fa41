/**
 * Finds certain errors in PostgreSQL's regular expressions (regcomp.c, "advanced" syntax). Options that change the
 * syntax, and rare forms, are not checked.
 */

/** Returns PostgreSQL's message, or undefined if the pattern is valid or not checked. */
export function regularExpressionProblem(pattern: string): string | undefined {
  if (pattern.startsWith('***') || /^\(\?[a-z]*[bqex]/.test(pattern)) return undefined;
  const problem = new Reader(pattern.replace(/^\(\?[a-z]+\)/, '')).read();
  return problem === undefined ? undefined : `invalid regular expression: ${problem}`;
}

const unbalanced = 'parentheses () not balanced';
const noOperand = 'quantifier operand invalid';
const badEscape = String.raw`invalid escape \ sequence`;
const classes = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit < >'.split(' '),
);

class Reader {
  readonly #text: string;
  #at = 0;
  #groups = 0;
  #open = 0;
  /** Whether a quantifier may follow. */
  #hasOperand = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): string | undefined {
    while (this.#at < this.#text.length) {
      const problem = this.#next();
      if (problem !== undefined) return problem;
    }
    return this.#open > 0 ? unbalanced : undefined;
  }

  #next(): string | undefined {
    const character = this.#text[this.#at] ?? '';
    switch (character) {
      case '\\':
        return this.#escape();
      case '[':
        return this.#bracket();
      case '(':
        return this.#group();
      case ')':
        this.#at++;
        this.#open--;
        this.#hasOperand = true;
        return this.#open < 0 ? unbalanced : undefined;
      case '|':
      case '^':
        this.#at++;
        this.#hasOperand = false;
        return undefined;
      case '*':
      case '+':
      case '?':
        this.#at++;
        return this.#quantified();
      case '{':
        return /^\{\d/.test(this.#text.slice(this.#at, this.#at + 2)) ? this.#bound() : this.#plain();
      case '$':
        this.#at++;
        this.#hasOperand = false;
        return undefined;
      default:
        return this.#plain();
    }
  }

  #plain(): string | undefined {
    this.#at += (this.#text.codePointAt(this.#at) ?? 0) > 0xffff ? 2 : 1;
    this.#hasOperand = true;
    return undefined;
  }

  /** Finishes a quantifier. A question mark after it makes it non-greedy; another quantifier would have no operand. */
  #quantified(): string | undefined {
    if (!this.#hasOperand) return noOperand;
    if (this.#text[this.#at] === '?') this.#at++;
    this.#hasOperand = false;
    return undefined;
  }

  #bound(): string | undefined {
    const found = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#text.slice(this.#at, this.#at + 12));
    if (found === null)
      return this.#text.includes('}', this.#at) ? 'invalid repetition count(s)' : 'braces {} not balanced';
    const least = Number(found[1]);
    const most = found[3] === undefined || found[3] === '' ? least : Number(found[3]);
    if (least > 255 || most > 255 || most < least) return 'invalid repetition count(s)';
    this.#at += found[0].length;
    return this.#quantified();
  }

  #group(): string | undefined {
    const comment = /^\(\?#[^)]*\)?/.exec(this.#text.slice(this.#at));
    if (comment !== null) {
      this.#at += comment[0].length;
      return undefined;
    }
    const special = /^\(\?(?:[:=!]|<[=!])?/.exec(this.#text.slice(this.#at, this.#at + 4))?.[0];
    if (special === '(?') return noOperand;
    if (special === undefined) this.#groups++;
    this.#at += special?.length ?? 1;
    this.#open++;
    this.#hasOperand = false;
    return undefined;
  }

  #escape(): string | undefined {
    const found = /^\\(?:u[\da-f]{4}|U[\da-f]{8}|x[\da-f]+|c[^]|[1-9]\d*|0\d*|[^])/i.exec(
      this.#text.slice(this.#at, this.#at + 12),
    )?.[0];
    if (found === undefined) return badEscape;
    const letter = found[1] ?? '';
    if (/[1-9]/.test(letter) && found.length === 2 && Number(letter) > this.#groups)
      return 'invalid backreference number';
    if (/[a-z]/i.test(letter) && (!/[abBcdDefmMnrsStuUvwWxyYAZ]/.test(letter) || isCut(found)))
      return badEscape;
    this.#at += found.length;
    this.#hasOperand = !/[mMyYAZ]/.test(letter);
    return undefined;
  }

  #bracket(): string | undefined {
    const text = this.#text;
    let at = this.#at + 1;
    if (text[at] === '^') at++;
    if (text[at] === ']') at++;
    for (;;) {
      const character = text[at];
      if (character === undefined) return 'brackets [] not balanced';
      if (character === ']') break;
      if (character === '[' && /[:.=]/.test(text[at + 1] ?? '')) {
        const kind = text[at + 1] ?? '';
        const end = text.indexOf(`${kind}]`, at + 2);
        if (end < 0) return 'brackets [] not balanced';
        if (kind === ':' && !classes.has(text.slice(at + 2, end))) return 'invalid character class';
        at = end + 2;
      } else if (character === '\\') {
        at += 2;
      } else {
        const range = /^([a-z0-9])-([a-z0-9])/i.exec(text.slice(at, at + 3));
        if (range?.[1] !== undefined && range[2] !== undefined && range[1] > range[2])
          return 'invalid character range';
        at += range === null ? 1 : 3;
      }
    }
    this.#at = at + 1;
    this.#hasOperand = true;
    return undefined;
  }
}

/** Returns whether a numeric escape has no digits or too few. */
const isCut = (escape: string): boolean => /^\\[uUxc]$/.test(escape);
