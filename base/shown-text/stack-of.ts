/** Returns an error's name and stack frames without its message, which may quote SQL or user input. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { stack = '', message } = error;
  // The message precedes the frames, and one of its lines may look like a frame.
  const at = message === '' ? -1 : stack.indexOf(message);
  const frames = (at < 0 ? stack : stack.slice(at + message.length))
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames].join('\n');
}
