/** Names of a run, as shown on tabs, in file names and in comparisons. */
import { t } from '#base/texts.ts';
import type { RunHeader } from './run-header.ts';

/** Returns the title with its version, which says whether the query had unsaved changes. */
export function versionTitle({
  title,
  version,
  isModified,
}: Pick<RunHeader, 'title' | 'version' | 'isModified'>): string {
  if (version === undefined) return title;
  return isModified === true ? t('{0} v{1} (edited)', title, version) : t('{0} v{1}', title, version);
}

/** Returns the title for what leaves the editor, which names both connections if the text belongs to another one. */
export function fileTitle(header: RunHeader): string {
  const { connection, home } = header;
  const title = versionTitle(header);
  if (connection === undefined || home === undefined) return title;
  return `${title} (${t('{0}, text of {1}', connection, home)})`;
}

/** Returns the title of a result's tab, which also tells several runs of a query apart. */
export function runTitle(header: RunHeader): string {
  return versionTitle(header) + (header.part === undefined ? '' : ` · ${header.part}`);
}
