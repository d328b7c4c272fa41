/** Converts PostgreSQL's text values to JSON text without loss: numbers keep every digit, and JSON stays unchanged. */
export type Encoder = (text: string) => string;

const numberTypes = new Set(['int2', 'int4', 'int8', 'oid', 'numeric', 'float4', 'float8']);

/** Returns the encoder for a PostgreSQL type. For an array, `type` is the element type followed by []. */
export function encoderOf(type: string, delimiter = type === 'box[]' ? ';' : ','): Encoder {
  if (type.endsWith('[]')) {
    const element = encoderOf(type.slice(0, -2));
    return (text) => arrayToJson(text, element, delimiter);
  }
  if (numberTypes.has(type)) return numberToJson;
  if (type === 'bool') return (text) => (text === 't' ? 'true' : 'false');
  if (type === 'json' || type === 'jsonb') return (text) => text;
  return (text) => JSON.stringify(text);
}

function numberToJson(text: string): string {
  // NaN, Infinity and -Infinity are not JSON numbers.
  return /[NI]/.test(text) ? JSON.stringify(text) : text;
}

/** Converts an array such as `{1,NULL,"a b",{...}}`, with an optional `[lower:upper]=` prefix. */
function arrayToJson(text: string, element: Encoder, delimiter: string): string {
  let at = text.startsWith('[') ? text.indexOf('=') + 1 : 0;
  const readArray = (): string => {
    const items: string[] = [];
    at += 1;
    while (at < text.length && text[at] !== '}') {
      if (text[at] === delimiter) at += 1;
      items.push(text[at] === '{' ? readArray() : readItem());
    }
    at += 1;
    return `[${items.join(',')}]`;
  };
  const readItem = (): string => {
    if (text[at] !== '"') {
      const start = at;
      while (at < text.length && text[at] !== delimiter && text[at] !== '}') at += 1;
      const item = text.slice(start, at);
      return item === 'NULL' ? 'null' : element(item);
    }
    let item = '';
    at += 1;
    while (at < text.length && text[at] !== '"') {
      if (text[at] === '\\') at += 1;
      item += text.charAt(at);
      at += 1;
    }
    at += 1;
    return element(item);
  };
  return readArray();
}
