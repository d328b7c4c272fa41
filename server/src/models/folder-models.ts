/**
 * The models of a folder of saved queries, for editors that send none: `queries/models.json`, as `pull --models` writes
 * it, and the model in a saved query's own metadata. The files may be a stranger's, so they are read with limits, never
 * through a link, and a file that cannot be used is left out with a message.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBoundedText, refusedWords } from '#base/files/bounded-file.ts';
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import type { CatalogueModel } from '../protocol.ts';
import type { ServerState } from '../state.ts';

const folderName = 'queries';
const fileName = 'models.json';
const queryEnding = '.identity.sql';
const metadataEnding = '.identity.json';
/** Of a file of models. */
export const modelsBytesMax = 64 * 1_048_576;
const metadataBytesMax = 1_048_576;
/** How far above a document its folder is looked for. */
const depthMax = 40;

/** What a client can watch, so that a change is seen without typing. */
export const watchedFiles = [`**/${folderName}/${fileName}`, `**/*${metadataEnding}`];

export interface FolderModelsOptions {
  readonly state: Pick<ServerState, 'catalogues' | 'documentConnections' | 'documentModels'>;
  readonly tell: (message: string) => void;
}

/** A file and what it was when it was read. */
interface ReadFile<T> {
  readonly mark: string;
  readonly value: T | undefined;
}

export class FolderModels {
  readonly #options: FolderModelsOptions;
  readonly #models = new Map<string, ReadFile<readonly CatalogueModel[]>>();
  readonly #metadata = new Map<string, ReadFile<string>>();
  /** Documents that wait for their files. */
  readonly #waiting = new Map<string, Promise<boolean>>();
  #isOn = true;

  constructor(options: FolderModelsOptions) {
    this.#options = options;
  }

  /** The client sends its own models: nothing is read, and what was read no longer counts. */
  stop(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    const { catalogues, documentConnections } = this.#options.state;
    for (const [uri, name] of documentConnections) if (isOurs(name)) documentConnections.delete(uri);
    for (const name of catalogues.keys()) if (isOurs(name)) catalogues.delete(name);
  }

  /** Resolves once the document's files are read; undefined if they are. */
  ready(uri: string): Promise<unknown> | undefined {
    return this.#waiting.get(uri);
  }

  /**
   * Looks at the files of a document. @returns a promise of whether they changed; undefined if there is nothing to wait
   * for.
   */
  follow(uri: string): Promise<boolean> | undefined {
    if (!this.#isOn || !uri.startsWith('file:')) return undefined;
    const before = this.#waiting.get(uri) ?? Promise.resolve(false);
    const work = before.then((hasChanged) =>
      this.#read(uri).then(
        (found) => found || hasChanged,
        () => hasChanged, // an address that is no path, or a file that vanished: nothing is known of it
      ),
    );
    this.#waiting.set(uri, work);
    void work.then(() => this.#waiting.get(uri) === work && this.#waiting.delete(uri));
    return work;
  }

  forget(uri: string): void {
    this.#metadata.delete(uri);
  }

  async #read(uri: string): Promise<boolean> {
    const file = fileURLToPath(uri);
    const found = await this.#readModels(file);
    const model = await this.#readModel(uri, file);
    if (!this.#isOn) return false;
    const { catalogues, documentConnections, documentModels } = this.#options.state;
    const name = found === undefined ? undefined : nameOf(found.file);
    const hasMoved = documentConnections.get(uri) !== name || documentModels.get(uri) !== model;
    const hasChanged = name !== undefined && catalogues.get(name)?.models !== found?.models;
    if (name === undefined) documentConnections.delete(uri);
    else documentConnections.set(uri, name);
    if (model === undefined) documentModels.delete(uri);
    else documentModels.set(uri, model);
    if (name !== undefined && hasChanged) {
      if (found?.models === undefined) catalogues.delete(name);
      else catalogues.set(name, { models: found.models });
    }
    return hasMoved || hasChanged;
  }

  /** Finds the nearest file at or above the document, up to the root of its repository. */
  async #readModels(
    document: string,
  ): Promise<{ readonly file: string; readonly models: readonly CatalogueModel[] | undefined } | undefined> {
    let at = path.dirname(document);
    for (let depth = 0; depth < depthMax; depth++) {
      const isInside = path.basename(at) === folderName;
      const folders = isInside ? [path.dirname(at), at] : [at];
      for (const folder of folders) {
        const file = path.join(folder, folderName, fileName);
        const mark = await markOf(file);
        if (mark !== undefined) return { file, models: await this.#modelsOf(file, folder, mark) };
      }
      const above = path.dirname(at);
      if (above === at || (await markOf(path.join(at, '.git'))) !== undefined) return undefined;
      at = above;
    }
    return undefined;
  }

  async #modelsOf(
    file: string,
    within: string,
    mark: string,
  ): Promise<readonly CatalogueModel[] | undefined> {
    const known = this.#models.get(file);
    if (known?.mark === mark) return known.value;
    const value = await this.#parse(file, within);
    this.#models.set(file, { mark, value });
    return value;
  }

  async #parse(file: string, within: string): Promise<readonly CatalogueModel[] | undefined> {
    const leftOut = (reason: string) =>
      this.#options.tell(t('"{0}" is not used, so names are not checked: {1}.', file, reason));
    let text: string;
    try {
      text = await readBoundedText(file, { maxBytes: modelsBytesMax, within });
    } catch (error) {
      leftOut(refusedWords(error));
      return undefined;
    }
    const { parseModelsText } = await import('./parse-models.ts');
    try {
      const models = parseModelsText(text, () => undefined);
      if (models === undefined) leftOut(t('it is not a list of models'));
      return models;
    } catch {
      leftOut(t('it is not JSON'));
      return undefined;
    }
  }

  /** Returns the model in the metadata beside a saved query. `check` and `pull` examine the rest of that file. */
  async #readModel(uri: string, document: string): Promise<string | undefined> {
    if (!document.endsWith(queryEnding)) return undefined;
    const file = document.slice(0, -queryEnding.length) + metadataEnding;
    const mark = await markOf(file);
    if (mark === undefined) return undefined;
    const known = this.#metadata.get(uri);
    if (known?.mark === mark) return known.value;
    const value = await modelIn(file);
    this.#metadata.set(uri, { mark, value });
    return value;
  }
}

async function modelIn(file: string): Promise<string | undefined> {
  try {
    const limits = { maxBytes: metadataBytesMax, within: path.dirname(file) };
    const value: unknown = JSON.parse((await readBoundedText(file, limits)).replace(/^\uFEFF/, ''));
    const model = isObject(value) ? value['model'] : undefined;
    return typeof model === 'string' && model !== '' ? model : undefined;
  } catch {
    return undefined; // it cannot be used; the directive and the default remain
  }
}

/** Changes whenever the file does. Undefined if there is none. */
async function markOf(file: string): Promise<string | undefined> {
  const facts = await stat(file, { bigint: true }).catch(() => undefined);
  return facts && [facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join();
}

/** A name that no connection has. */
const nameOf = (file: string): string => `\0${file}`;
const isOurs = (name: string): boolean => name.startsWith('\0');
