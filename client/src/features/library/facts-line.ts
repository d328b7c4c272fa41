/** The line beside a query of the library: what decides comes first, the tags, which may be long, last. */
export function factsLine(
  control: { readonly severity: string; readonly tags: readonly string[] } | undefined,
  fit: string,
): string {
  const { severity = '', tags = [] } = control ?? {};
  return [severity, fit, tags.join(' ')].filter((fact) => fact !== '').join(' · ');
}
