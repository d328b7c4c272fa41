/** What is told where a person's data cannot be written, as in a container of CI without a home. */
export function unwritableData(folder: string, reason: string): string {
  return `"${folder}" cannot be written: ${reason}. XDG_DATA_HOME names another folder.`;
}
