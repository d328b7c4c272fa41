/**
 * Writes l10n/bundle.l10n.json: every text of the client and of its page in English. A translation of it is called
 * l10n/bundle.l10n.<language>.json, one of package.nls.json package.nls.<language>.json.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fromRoot } from './lib/paths.js';
import { textsOf } from './lib/texts.js';

const texts = ['core/src', 'client/src', 'client/webview']
  .flatMap((folder) => [...textsOf(folder).keys()])
  .sort();
mkdirSync(fromRoot('l10n'), { recursive: true });
const bundle = Object.fromEntries(texts.map((text) => [text, text]));
writeFileSync(fromRoot('l10n/bundle.l10n.json'), `${JSON.stringify(bundle, undefined, 2)}\n`);
process.stdout.write(`l10n/bundle.l10n.json: ${Object.keys(bundle).length} texts\n`);
