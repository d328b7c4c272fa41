/** Formats the line next to a library query: the most important facts first, long tags last. */
export function factsLine(
  control: { readonly severity: string; readonly tags: readonly string[] } | undefined,
  fit: string,
): string {
  const { severity = '', tags = [] } = control ?? {};
  return [severity, fit, tags.join(' ')].filter((fact) => fact !== '').join(' · ');
}
