/** Checks byte and bit literals. */
import { t } from '#base/texts.ts';
import type { LiteralProblem } from './literal-problem.ts';

export function checkBytes(text: string): LiteralProblem | undefined {
  if (text.startsWith(String.raw`\x`)) {
    const digits = text.slice(2).replaceAll(/\s/g, '');
    const odd = /[^\da-f]/i.exec(digits)?.[0];
    return odd !== undefined
      ? { message: `invalid hexadecimal digit: "${odd}"` }
      : digits.length % 2 === 1
        ? { message: 'invalid hexadecimal data: odd number of digits' }
        : undefined;
  }
  return /^(?:[^\\]|\\\\|\\[0-3][0-7]{2})*$/.test(text)
    ? undefined
    : {
        message: 'invalid input syntax for type bytea',
        remedy: () => t('A backslash is written {0}.', String.raw`\\`),
      };
}

export function checkBits(text: string): LiteralProblem | undefined {
  const isHexadecimal = /^x/i.test(text);
  const odd = (isHexadecimal ? /[^\da-f]/i : /[^01]/).exec(text.replace(/^[bx]/i, ''))?.[0];
  return odd === undefined
    ? undefined
    : { message: `"${odd}" is not a valid ${isHexadecimal ? 'hexadecimal' : 'binary'} digit` };
}
