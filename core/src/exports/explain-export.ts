/** Explains why an export's file is missing. Independent of the editor. */
import { NotFoundError } from '#api/client/errors.ts';
import { TargetError } from '#base/files/target-error.ts';
import { t } from '#base/texts.ts';
import { contextTitle } from './context-title.ts';
import type { KnownExport } from './export-store.ts';
import { ExpiredLinkError, NoFileError } from './fetch-export.ts';

export interface ExplainedExport {
  readonly message: string;
  /** Whether the user must request a new export. */
  readonly isOver: boolean;
}

/** @returns undefined for errors unrelated to exports, whose own messages are sufficient. */
export function explainExport(
  error: unknown,
  { context }: Pick<KnownExport, 'context'>,
): ExplainedExport | undefined {
  const title = contextTitle(context);
  // A completed export shows its link as long as it is valid.
  if (error instanceof ExpiredLinkError || (error instanceof NoFileError && error.status === 'completed')) {
    const message = t('The link to the file of "{0}" has expired. Create the export again.', title);
    return { message, isOver: true };
  }
  if (error instanceof NotFoundError) {
    const message = t('The service no longer has the export "{0}". Create it again.', title);
    return { message, isOver: true };
  }
  if (error instanceof NoFileError) {
    const isOver = error.status === 'failed';
    const message = isOver
      ? t('The export "{0}" failed: {1} ({2})', title, error.message, error.code ?? '?')
      : t('The export "{0}" is still being prepared.', title);
    return { message, isOver };
  }
  if (!(error instanceof TargetError)) return undefined;
  const { path, reason } = error;
  return { message: t('"{0}" could not be written: {1}. Save it elsewhere.', path, reason), isOver: false };
}
