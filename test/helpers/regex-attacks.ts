/** Generates strings that are likely to match slowly: each repeats an element that the expression repeats. */
import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** An attack string: the prefix, the repeated pump and the suffix. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** Building blocks of SQL, JSON and names. */
const tokens =
  `a Z _ 0 1 - -- . , ( ) " ' '' "" [ ] { } \\ / * /* */ $ @ : = é ‘ + ; | # a. a, $a$ () [] \`\`\`json`
    .split(' ')
    .concat([' ', '\t', '\n', ' \n', 'a ', '\u0000']);

const parser = new RegExpParser();

export function attacksOn(expression: RegExp): readonly Attack[] {
  const { source, flags } = expression;
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const pattern = parser.parsePattern(source, 0, source.length, mode);
  const writer = new SampleWriter(flags.replaceAll(/[gyd]/g, ''));
  const pumps = new Map<string, readonly [string, string]>();
  for (const { prefix, element } of repetitionsIn(pattern, writer, '')) {
    // Also repeats the prefix: from each copy, matching may continue to the end of the text.
    for (const pump of [...writer.samples(element), prefix + writer.sample(element)]) {
      pumps.set(JSON.stringify([prefix, pump]), [prefix, pump]);
    }
    if (prefix !== '') pumps.set(JSON.stringify(['', prefix]), ['', prefix]);
  }
  for (const token of tokens) pumps.set(JSON.stringify(['', token]), ['', token]);
  return [...pumps.values()].flatMap(([prefix, pump]) =>
    pump === '' ? [] : ['', '\u0000!'].map((suffix) => ({ prefix, pump, suffix })),
  );
}

export const textOf = ({ prefix, pump, suffix }: Attack, length: number): string =>
  prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;

interface Repetition {
  /** A string matched by the part before the repetition. */
  readonly prefix: string;
  readonly element: AST.QuantifiableElement;
}

function* repetitionsIn(
  node: AST.Pattern | AST.Element,
  writer: SampleWriter,
  prefix: string,
): Generator<Repetition> {
  if (node.type === 'Quantifier') {
    if (node.max > 100) yield { prefix, element: node.element };
    yield* repetitionsIn(node.element, writer, prefix);
  } else if ('alternatives' in node) {
    for (const { elements } of node.alternatives) {
      let before = prefix;
      for (const element of elements) {
        yield* repetitionsIn(element, writer, before);
        before += writer.sample(element);
      }
    }
  }
}

/** Generates short strings matching parts of an expression. */
class SampleWriter {
  readonly #flags: string;

  constructor(flags: string) {
    this.#flags = flags;
  }

  sample(element: AST.Element): string {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#ofAlternative(element.alternatives[0]);
      case 'Quantifier':
        return this.sample(element.element).repeat(Math.min(element.min, 40));
      case 'Character':
        return String.fromCodePoint(element.value);
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#tokensLike(element)[0] ?? 'a';
      default:
        return '';
    }
  }

  /** Returns several samples that differ as much as possible. */
  samples(element: AST.QuantifiableElement): readonly string[] {
    const inner = 'alternatives' in element ? element.alternatives : [];
    const written = inner.map((each) => this.#ofAlternative(each));
    return [...new Set([...written, ...this.#tokensLike(element), this.sample(element)])];
  }

  #ofAlternative(alternative: AST.Alternative | undefined): string {
    return (alternative?.elements ?? []).map((element) => this.sample(element)).join('');
  }

  #tokensLike({ raw }: AST.Element): readonly string[] {
    // A backreference may refer to a group outside this part, so the part cannot be compiled alone.
    const whole = /\\[1-9]/.test(raw) ? undefined : new RegExp(`^(?:${raw})$`, this.#flags);
    return tokens.filter((token) => whole?.test(token) === true);
  }
}
