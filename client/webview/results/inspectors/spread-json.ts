/** Maximum number of indented levels: hostile JSON can have a hundred thousand. */
const indentedLevels = 40;

/**
 * Formats compact JSON over several lines. Works on the text, because parsing would lose number precision and key
 * order.
 */
export function spreadJson(json: string): string {
  let out = '';
  let depth = 0;
  const line = () => `\n${'  '.repeat(Math.min(Math.max(depth, 0), indentedLevels))}`;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '"') {
      const end = endOfString(json, at);
      out += json.slice(at, end);
      at = end - 1;
    } else if (character === '{' || character === '[') {
      const closing = character === '{' ? '}' : ']';
      if (json.charAt(at + 1) === closing) {
        out += character + closing;
        at += 1;
      } else {
        depth += 1;
        out += character + line();
      }
    } else if (character === '}' || character === ']') {
      depth -= 1;
      out += line() + character;
    } else if (character === ',') {
      out += character + line();
    } else if (character === ':') {
      out += ': ';
    } else if (!/\s/.test(character)) {
      out += character;
    }
  }
  return out;
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json.charAt(at) === '\\') at += 1;
    else if (json.charAt(at) === '"') return at + 1;
  }
  return json.length;
}
