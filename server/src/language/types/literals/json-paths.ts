/** Checks the syntax of jsonpath literals (jsonpath_gram.y). */
import { t } from '#base/texts.ts';
import type { LiteralProblem } from './literal-problem.ts';
import { regularExpressionProblem } from './regular-expressions.ts';

interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'variable' | 'symbol' | 'end';
  readonly text: string;
}

const tokens =
  /\s*(?:(?<text>"(?:[^"\\]|\\.)*")|(?<variable>\$(?:[\p{L}\p{N}_]+|"[^"\\]*"))|(?<number>(?:0|[1-9]\d*)(?:\.\d+)?(?![\p{L}\p{N}_.]))|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<symbol>&&|\|\||==|<>|!=|<=|>=|\*\*|[$@.[\](){}?*+\-/%,<>!]))/uy;

/** Returns undefined if the literal has parts that are not read here, such as comments and escapes in names. */
function lexPath(path: string): readonly Token[] | undefined {
  if (/\/\*|\.\d/.test(path.replaceAll(/\d\.\d/g, ''))) return undefined;
  const found: Token[] = [];
  const end = path.trimEnd().length;
  tokens.lastIndex = 0;
  while (tokens.lastIndex < end) {
    const groups = tokens.exec(path)?.groups;
    if (groups === undefined) return undefined;
    const [kind, text = ''] =
      Object.entries<string | undefined>(groups).find(([, value]) => value !== undefined) ?? [];
    found.push({ kind: (kind ?? 'symbol') as Token['kind'], text }); // the names of the groups
  }
  return found;
}

/** What was read: a value, or a condition, which has its own places in the grammar. */
type Read = 'value' | 'condition';

/** Thrown at the first token that the grammar does not allow. */
class Unexpected extends Error {
  readonly token: Token;

  constructor(token: Token) {
    super('unexpected token');
    this.token = token;
  }
}

/** Thrown at what the grammar allows, but not in this place. */
class Misplaced extends Error {}

/** Marks what is neither a syntax error nor certainly right. */
class Uncertain extends Error {}

const nestingMax = 100;

class PathReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #nesting = 0;
  #filters = 0;
  #subscripts = 0;

  constructor(found: readonly Token[]) {
    this.#tokens = found;
  }

  whole(): void {
    if (this.#isWord('strict') || this.#isWord('lax')) this.#at++;
    this.#or();
    if (this.#now.kind !== 'end') this.#fail();
  }

  get #now(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' };
  }

  #fail(): never {
    throw new Unexpected(this.#now);
  }

  #isWord(word: string): boolean {
    return this.#now.kind === 'word' && this.#now.text.toLowerCase() === word;
  }

  #is(...symbols: readonly string[]): boolean {
    return this.#now.kind === 'symbol' && symbols.includes(this.#now.text);
  }

  #take(symbol: string): void {
    if (!this.#is(symbol)) this.#fail();
    this.#at++;
  }

  #want(read: Read, wanted: Read): void {
    if (read !== wanted) this.#fail();
  }

  #inside<T>(run: () => T): T {
    if (++this.#nesting > nestingMax) throw new Uncertain();
    const result = run();
    this.#nesting--;
    return result;
  }

  #or(): Read {
    return this.#joined('||', () => this.#joined('&&', () => this.#condition()));
  }

  #joined(symbol: string, part: () => Read): Read {
    let read = part();
    while (this.#is(symbol)) {
      this.#want(read, 'condition');
      this.#at++;
      this.#want(part(), 'condition');
      read = 'condition';
    }
    return read;
  }

  #condition(): Read {
    if (this.#is('!')) {
      this.#at++;
      if (this.#isWord('exists')) this.#exists();
      else {
        this.#take('(');
        this.#want(
          this.#inside(() => this.#or()),
          'condition',
        );
        this.#take(')');
      }
      return 'condition';
    }
    if (this.#isWord('exists')) {
      this.#exists();
      return 'condition';
    }
    const left = this.#sum();
    if (left === 'condition') return left;
    if (this.#is('==', '<>', '!=', '<', '<=', '>', '>=')) {
      this.#at++;
      this.#want(this.#sum(), 'value');
      return 'condition';
    }
    if (this.#isWord('starts')) {
      this.#at++;
      if (!this.#isWord('with')) this.#fail();
      this.#at++;
      if (this.#now.kind !== 'text' && this.#now.kind !== 'variable') this.#fail();
      this.#at++;
      return 'condition';
    }
    if (this.#isWord('like_regex')) {
      this.#at++;
      const pattern = this.#text();
      let flags = '';
      if (this.#isWord('flag')) {
        this.#at++;
        flags = this.#text();
      }
      checkPattern(pattern, flags);
      return 'condition';
    }
    return 'value';
  }

  /** Returns the text between the quotes. */
  #text(): string {
    const { kind, text } = this.#now;
    if (kind !== 'text') this.#fail();
    this.#at++;
    return text.slice(1, -1);
  }

  #exists(): void {
    this.#at++;
    this.#take('(');
    this.#want(
      this.#inside(() => this.#or()),
      'value',
    );
    this.#take(')');
  }

  #sum(): Read {
    let read = this.#signed();
    while (read === 'value' && this.#is('+', '-', '*', '/', '%')) {
      this.#at++;
      this.#want(this.#signed(), 'value');
      read = 'value';
    }
    return read;
  }

  #signed(): Read {
    let isSigned = false;
    while (this.#is('+', '-')) {
      this.#at++;
      isSigned = true;
    }
    const read = this.#accessed();
    if (isSigned) this.#want(read, 'value');
    return read;
  }

  #accessed(): Read {
    let read = this.#primary();
    if (read === 'condition' && this.#isWord('is')) {
      this.#at++;
      if (!this.#isWord('unknown')) this.#fail();
      this.#at++;
      return 'condition';
    }
    while (this.#is('.', '[', '?')) {
      this.#accessor();
      read = 'value';
    }
    return read;
  }

  #primary(): Read {
    const { kind, text } = this.#now;
    if (this.#is('(')) {
      this.#at++;
      const read = this.#inside(() => this.#or());
      this.#take(')');
      return read;
    }
    if (this.#is('@') && this.#filters === 0) throw new Misplaced('@ is not allowed in root expressions');
    if (this.#isWord('last') && this.#subscripts === 0)
      throw new Misplaced('LAST is allowed only in array subscripts');
    const isWord = kind === 'word' && (/^(?:true|false|null)$/.test(text) || this.#isWord('last'));
    if (!isWord && !['text', 'number', 'variable'].includes(kind) && !this.#is('$', '@')) this.#fail();
    this.#at++;
    return 'value';
  }

  #accessor(): void {
    if (this.#is('?')) {
      this.#at++;
      this.#take('(');
      this.#filters++;
      this.#want(
        this.#inside(() => this.#or()),
        'condition',
      );
      this.#filters--;
      this.#take(')');
      return;
    }
    if (this.#is('[')) {
      this.#at++;
      this.#subscripts++;
      if (this.#is('*')) this.#at++;
      else this.#places();
      this.#subscripts--;
      this.#take(']');
      return;
    }
    this.#at++;
    if (this.#is('**')) {
      this.#at++;
      if (this.#is('{')) throw new Uncertain();
      return;
    }
    if (this.#is('*')) {
      this.#at++;
      return;
    }
    if (this.#now.kind !== 'word' && this.#now.kind !== 'text') this.#fail();
    const method = this.#now.kind === 'word' ? this.#now.text.toLowerCase() : undefined;
    this.#at++;
    if (method === undefined || !this.#is('(')) return;
    if (!methods.has(method)) this.#fail();
    this.#at++;
    if (!this.#is(')')) throw new Uncertain();
    this.#at++;
  }

  #places(): void {
    for (;;) {
      this.#want(
        this.#inside(() => this.#or()),
        'value',
      );
      if (this.#isWord('to')) {
        this.#at++;
        this.#want(
          this.#inside(() => this.#or()),
          'value',
        );
      }
      if (!this.#is(',')) return;
      this.#at++;
    }
  }
}

/** PostgreSQL's methods up to version 19. */
const methods: ReadonlySet<string> = new Set(
  `abs bigint boolean btrim ceiling date datetime decimal double floor initcap integer keyvalue lower ltrim number replace
   rtrim size split_part string time time_tz timestamp timestamp_tz type upper`.split(/\s+/),
);

/** Checks the operands of like_regex. */
function checkPattern(pattern: string, flags: string): void {
  const wrong = /[^ismxq]/u.exec(flags);
  if (wrong !== null)
    throw new Misplaced(`unrecognized flag character "${wrong[0]}" in LIKE_REGEX predicate`);
  if (flags.includes('q')) return;
  if (flags.includes('x'))
    throw new Misplaced('XQuery "x" flag (expanded regular expressions) is not implemented');
  const text = pattern.replaceAll(/\\(["\\/])/g, '$1');
  // Other escapes are not read here.
  const problem = /\\[^"\\/]/.test(pattern.replaceAll('\\\\', ''))
    ? undefined
    : regularExpressionProblem(text);
  if (problem !== undefined) throw new Misplaced(problem);
}

export function checkJsonPath(text: string): LiteralProblem | undefined {
  const found = lexPath(text);
  if (found === undefined || found.length === 0) return undefined;
  try {
    new PathReader(found).whole();
    return undefined;
  } catch (error) {
    if (error instanceof Misplaced) return { message: error.message };
    if (!(error instanceof Unexpected)) return undefined;
    const { kind, text: near } = error.token;
    const message =
      kind === 'end'
        ? 'syntax error at end of jsonpath input'
        : `syntax error at or near "${near}" of jsonpath input`;
    // A bare word is an error, since a path starts with `$`.
    const first = found.find(
      ({ kind: own, text: word }) => own !== 'word' || !/^(?:strict|lax)$/i.test(word),
    );
    const remedy = (): string => t('Write {0}.', `'$.${first?.text ?? ''}'`);
    return { message, ...(first === error.token && kind === 'word' ? { remedy } : {}) };
  }
}
