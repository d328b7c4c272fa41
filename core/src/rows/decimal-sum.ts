/** Computes the exact sum of decimal numbers of any size, since doubles would lose cents and the low digits of IDs. */
import { decimalPattern, specialNumber } from './decimal.ts';

/** Numbers with larger exponents would need too many digits, so the sum becomes a double. */
const powerMax = 1_000;
/** Significant digits of an average that does not end, as many as PostgreSQL's own at least. */
const averageDigits = 16;

export class DecimalSum {
  /** The sum is `#digits / 10^#scale` plus `#integers`. */
  #digits = 0n;
  #scale = 0;
  #integers = 0;
  #inexact: number | undefined;
  count = 0;

  addDouble(value: number): void {
    if (!Number.isSafeInteger(value)) {
      this.addText(String(value));
      return;
    }
    this.count += 1;
    const sum = this.#integers + value;
    if (Number.isSafeInteger(sum)) this.#integers = sum;
    else {
      this.#flush();
      this.#integers = value;
    }
  }

  /**
   * Adds a number as text.
   * @returns false if the text is not a number.
   */
  addText(text: string): boolean {
    // A double represents up to fifteen digits exactly.
    if (text.length <= 15 && /^-?\d+$/.test(text)) {
      this.addDouble(Number(text));
      return true;
    }
    const match = decimalPattern.exec(text.trim());
    if (match === null || (match[2] === '' && (match[3] ?? '') === '')) {
      const value = specialNumber(text);
      if (value === undefined) return false;
      this.#inexact = (this.#inexact ?? 0) + value;
      this.count += 1;
      return true;
    }
    const [, sign = '', whole = '', fraction = '', powerText = '0'] = match;
    const power = Number(powerText);
    this.count += 1;
    if (Math.abs(power) > powerMax) {
      this.#inexact = (this.#inexact ?? 0) + Number(text);
      return true;
    }
    const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
    this.#add(digits, fraction.length - power);
    return true;
  }

  #add(digits: bigint, scale: number): void {
    if (scale > this.#scale) {
      this.#digits *= 10n ** BigInt(scale - this.#scale);
      this.#scale = scale;
    }
    this.#digits += digits * 10n ** BigInt(this.#scale - scale);
  }

  #flush(): void {
    this.#add(BigInt(this.#integers), 0);
    this.#integers = 0;
  }

  get sum(): string {
    this.#flush();
    if (this.#inexact !== undefined)
      return String(this.#inexact + Number(written(this.#digits, this.#scale)));
    return written(this.#digits, this.#scale);
  }

  /** Whether the sum is exact, with every number added digit by digit. */
  get isExact(): boolean {
    return this.#inexact === undefined;
  }

  /**
   * Returns the average for comparison with numbers of at most `places` decimal places. It is truncated; if anything
   * was cut off, one nonzero digit is appended. Undefined if there are no numbers.
   */
  averageBeyond(places: number): string | undefined {
    this.#flush();
    if (this.count === 0) return undefined;
    const scale = Math.max(this.#scale, places);
    const numerator = this.#digits * 10n ** BigInt(scale - this.#scale);
    const count = BigInt(this.count);
    const isCut = numerator % count !== 0n;
    const sign = numerator < 0n ? -1n : 1n;
    return written((numerator / count) * 10n + (isCut ? sign : 0n), scale + 1);
  }

  /**
   * The average: exact if it ends within the significant digits, otherwise rounded to them, half away from zero.
   * Undefined if there are no numbers.
   */
  get average(): string | undefined {
    this.#flush();
    if (this.count === 0) return undefined;
    if (this.#inexact !== undefined) return String(Number(this.sum) / this.count);
    const count = BigInt(this.count);
    const scale = Math.max(this.#scale, this.#averageScale(count));
    const numerator = this.#digits * 10n ** BigInt(scale - this.#scale);
    const half = numerator < 0n ? -count : count;
    return withoutTrailingZeros(written((numerator * 2n + half) / (count * 2n), scale));
  }

  get isAverageRounded(): boolean {
    this.#flush();
    const count = BigInt(this.count);
    if (this.#inexact !== undefined || count === 0n) return this.#inexact !== undefined;
    const scale = Math.max(this.#scale, this.#averageScale(count));
    return (this.#digits * 10n ** BigInt(scale - this.#scale)) % count !== 0n;
  }

  /** Returns the decimal places after which an average has its significant digits. */
  #averageScale(count: bigint): number {
    const size = this.#digits < 0n ? -this.#digits : this.#digits;
    const whole = size / (count * 10n ** BigInt(this.#scale));
    if (whole > 0n) return Math.max(0, averageDigits - whole.toString().length);
    if (size === 0n) return averageDigits;
    // The zeros after the decimal point are not significant.
    const divisor = count * 10n ** BigInt(this.#scale);
    const places = averageDigits + 1 + divisor.toString().length - size.toString().length;
    const scaled = (size * 10n ** BigInt(places)) / divisor;
    return places + averageDigits - scaled.toString().length;
  }
}

function written(digits: bigint, scale: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  return scale === 0
    ? sign + text
    : `${sign}${text.slice(0, text.length - scale)}.${text.slice(text.length - scale)}`;
}

/** Removes trailing zeros after the decimal point. */
export function withoutTrailingZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charAt(end - 1) === '0') end -= 1;
  return text.slice(0, text.charAt(end - 1) === '.' ? end - 1 : end);
}
