/**
 * Reads the lines of a byte stream. Only LF ends a line, because JSON strings may contain other line endings.
 * @param isLastWhole whether to skip a last line without LF as incomplete.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array | string>,
  { isLastWhole = false }: { readonly isLastWhole?: boolean } = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (
      rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
    ).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '' && !isLastWhole) yield rest;
}
