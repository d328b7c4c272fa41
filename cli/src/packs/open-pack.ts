/** Opens a pack from a Git tag, from a folder, or from this program, and verifies that its queries only read. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { typedText } from '#base/advice.ts';
import { parseGitAddress, type AddressProblem } from '#core/packs/git-address.ts';
import { GitError, withGitPack } from '#core/packs/git-files.ts';
import { folderFiles, type PackFiles } from '#core/packs/pack-files.ts';
import type { PackSource } from '#core/packs/pack-lock.ts';
import { sayPackProblem } from '#core/packs/pack-messages.ts';
import type { PlannedInstall } from '#core/packs/pack-store.ts';
import { unprovenQuery } from '#core/packs/prove-pack.ts';
import { readPack } from '#core/packs/read-pack.ts';
import { shippedPackFolder, shippedPacks } from '#core/packs/shipped-packs.ts';
import { findStatements } from '#server/handlers/statements.ts';
import { languageId } from '#server/protocol.ts';
import { createState } from '#server/state.ts';
import { advice } from '../advice.ts';
import { sharedAnalyser } from '../checks.ts';
import { CliError, type CliContext } from '../context.ts';

export type OpenedPack = Pick<PlannedInstall, 'pack' | 'source' | 'commit'>;

/** @throws CliError that explains why the pack is refused; nothing is written. */
export async function openPack(context: CliContext, source: PackSource | string): Promise<OpenedPack> {
  const known = typeof source === 'string' ? await sourceOf(context, source) : source;
  switch (known.kind) {
    case 'git':
      return await openGit(context, known);
    case 'folder':
      return await open(folderFiles(path.resolve(context.cwd, known.address)), known, undefined);
    case 'shipped': {
      const folder = shippedPackFolder(known.address, import.meta.dirname);
      if (folder === undefined) throw new CliError(`This program ships no pack "${known.address}".`);
      return await open(folderFiles(folder), known, undefined);
    }
    default:
      return known.kind satisfies never;
  }
}

async function sourceOf(context: CliContext, text: string): Promise<PackSource> {
  const git = parseGitAddress(text);
  if (git !== undefined && 'problem' in git) throw refusedAddress(text, git.problem);
  if (git !== undefined) return { kind: 'git', address: git.address.url, tag: git.address.tag };
  const isFolder = await stat(path.resolve(context.cwd, text)).then(
    (found) => found.isDirectory(),
    () => false, // no folder has this name
  );
  if (isFolder) return { kind: 'folder', address: text };
  if (shippedPacks.some((name) => name === text)) return { kind: 'shipped', address: text };
  throw new CliError(
    `There is no folder "${withoutUser(text)}", and no pack of this name ships with this program.`,
    [
      `Shipped: ${shippedPacks.join(', ')}`,
      `From Git: ${typedText(advice.packFromGit('https://git.example.com/team/pack.git@v1.0.0'))}`,
    ],
  );
}

function refusedAddress(typed: string, problem: AddressProblem): CliError {
  // It may contain a password, and the message may be kept in a log.
  const text = withoutUser(typed).replace(/[?#].*$/, '');
  switch (problem) {
    case 'protocol':
      return new CliError(`"${text}" is refused: packs come over https, ssh or file only.`);
    case 'noTag':
      return new CliError(`"${text}" has no tag. Add one after an @, for example @v1.0.0.`);
    case 'tag':
      return new CliError(`"${text}" has a tag that Git does not accept.`);
    case 'secret':
      return new CliError(
        'The address contains a user with a password or token, or a query, which would be stored in the lock file. Nothing was fetched.',
        ["Use the address without it, and Git's credential helper for the password."],
      );
    case 'address':
      return new CliError(`"${text}" is not an address of a Git repository.`);
    default:
      return problem satisfies never;
  }
}

async function openGit(context: CliContext, source: PackSource): Promise<OpenedPack> {
  const address = { url: source.address, tag: source.tag ?? '' };
  try {
    return await withGitPack(
      address,
      { environment: context.environment, signal: context.signal, target: context.cwd },
      ({ commit, files }) => open(files, source, commit),
    );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    switch (error.problem) {
      case 'missing':
        throw new CliError(
          'Git was not found outside this folder, where it is not run. Install it, put its folder on the PATH, or change to another folder.',
          [],
          { cause: error },
        );
      case 'timeLimit':
        throw new CliError(`"${address.url}" took too long.`, [], { cause: error });
      case 'tooLarge':
        throw new CliError(`"${address.url}" sends too much for a pack.`, [], { cause: error });
      case 'failed':
        throw new CliError(
          `Git could not read "${address.url}" at "${address.tag}".`,
          error.said.split('\n').map((line) => `  ${line}`),
          { cause: error },
        );
      default:
        throw error;
    }
  }
}

async function open(files: PackFiles, source: PackSource, commit: string | undefined): Promise<OpenedPack> {
  const read = await readPack(files);
  if ('problem' in read) throw new CliError(`The pack is refused. ${sayPackProblem(read.problem)}`);
  const { pack } = read;
  const analyser = sharedAnalyser();
  const problem = await unprovenQuery(pack, ({ text, model }) => {
    const uri = 'file:///pack.identity.sql';
    const state = createState();
    state.documentModels.set(uri, model);
    const document = TextDocument.create(uri, languageId, 1, text);
    return findStatements({ analyser, state }, document, { textDocument: { uri } }, () => false);
  });
  if (problem !== undefined) throw new CliError(`The pack is refused. ${sayPackProblem(problem)}`);
  return { pack, source, commit };
}

/** Hides the user of what was meant as an address, however many slashes it has, and with it a password. */
function withoutUser(typed: string): string {
  return typed.replace(/^([A-Za-z][\w+.-]+:[/\\]*)[^/\\]*@/, '$1...@');
}
