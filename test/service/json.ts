/** Writes JSON with exact numbers, including those that JavaScript numbers cannot represent. */

export class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function stringify(value: unknown): string {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map((each: unknown) => stringify(each ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${stringify(each)}`).join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}
