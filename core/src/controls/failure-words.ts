/** The service's words about a failure quote values of rows (`invalid input syntax for type integer: "jonas"`): those stay out of reports. */

/** What stands in quotes is left out, unless the query itself has it. */
export function withoutForeignQuotes(message: string, query: string): string {
  const known = query.toLowerCase();
  return message
    .replaceAll(/"([^"]*)"|“([^”]*)”|«([^»]*)»/g, (quoted: string, ...parts: readonly unknown[]) => {
      const inside = parts.slice(0, 3).find((part) => typeof part === 'string');
      return typeof inside === 'string' && known.includes(inside.toLowerCase()) ? quoted : '"..."';
    })
    .replaceAll(/=\(([^)]*)\)/g, (value: string) => (query.includes(value) ? value : '=(...)'));
}
