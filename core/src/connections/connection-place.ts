/** Returns a connection's label and environment, if it has them. A label like PROD already says `prod`. */
export function connectionPlace(label: string | undefined, environment: string | undefined): string {
  const isSaid = label !== undefined && label.toLowerCase() === environment?.toLowerCase();
  return [label, isSaid ? undefined : environment].filter((text) => text !== undefined).join(' · ');
}
