/**
 * The receivers that a folder's `.identity-queries/notify.json` names. The folder may be a stranger's, so a receiver
 * counts only once the person accepted it, as it stands: any change revokes the answer.
 */
import { realpath } from 'node:fs/promises';
import { FileRefusal, refusedWords } from '#base/files/bounded-file.ts';
import { t } from '#base/texts.ts';
import { mayFolderName, OtherOwnerError, readFound } from '../../connections/connection-files.ts';
import { digestOfEntry } from '../../connections/connection-trust.ts';
import { entryVariables, ReceiverError, receiverEntries, requireNoCredential } from './receivers.ts';

export const receiversName = 'notify.json';

export interface FolderReceiver {
  readonly name: string;
  readonly kind: string;
  /** The address; undefined if a variable holds it. */
  readonly url?: string | undefined;
  readonly variables: readonly string[];
  /** What an answer of the person belongs to. */
  readonly digest: string;
}

/**
 * @param secrets the variables with secrets of connections.
 * @throws ReceiverError
 */
export async function readFolderReceivers(
  file: string,
  secrets: ReadonlySet<string>,
): Promise<{ readonly text: string; readonly receivers: readonly FolderReceiver[] }> {
  const text = await textOf(file);
  const real = await realpath(file);
  const receivers = receiverEntries(text, file).map((entry, index): FolderReceiver => {
    const place = `${file}[${index}]`;
    const variables = entryVariables(entry, place);
    const foreign = variables.find((variable) => !mayFolderName(variable));
    if (foreign !== undefined)
      throw new ReceiverError(
        t(
          "{0}: a folder's file can only name variables that start with IDENTITY_QUERIES_, except IDENTITY_QUERIES_CLIENT_SECRET and IDENTITY_QUERIES_DIGEST_KEY. If you trust the file, name it: --notify FILE",
          place,
        ),
      );
    requireNoCredential(variables, { place, secrets });
    if (entry['allowPrivateAddress'] === true)
      throw new ReceiverError(
        t(
          '{0}: "{1}" does not count in a folder\'s file. If you trust the file, name it: --notify FILE',
          place,
          'allowPrivateAddress',
        ),
      );
    return {
      name: String(entry['name']).trim(),
      kind: String(entry['kind']),
      url: typeof entry['url'] === 'string' ? entry['url'] : undefined,
      variables,
      digest: digestOfEntry(real, entry),
    };
  });
  return { text, receivers };
}

async function textOf(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFound(file));
  } catch (error) {
    if (error instanceof OtherOwnerError)
      throw new ReceiverError(
        t('{0} belongs to another user. If you trust it, name it: --notify FILE', file),
      );
    if (error instanceof FileRefusal || error instanceof TypeError)
      throw new ReceiverError(t('{0} cannot be read: {1}.', file, refusedWords(error)), { cause: error });
    throw error;
  }
}
