/**
 * Knows which English text each translation was made from, so that a translation does not outlive a rewording.
 * `l10n/made-from.<language>.json` has, for each catalogue, a line per translation: digests of its key, its English text
 * and itself. Nothing else is needed to find a translation of an earlier text: no history, no network.
 */
import { createHash } from 'node:crypto';

/**
 * @import { Catalogue } from './catalogues.js'
 * @typedef {Record<string, string>} MadeFrom the digests of the English text and of the translation, by digest of the key
 * @typedef {{ english: Catalogue, translated: Catalogue }} Translation of one catalogue into one language
 * @typedef {'unrecorded' | 'carried over' | 'English changed'} Staleness
 */

/** @param {string} language @returns {string} relative to the root */
export const madeFromFile = (language) => `l10n/made-from.${language}.json`;

/**
 * Finds translations that may say something else than their English text.
 * @param {Translation} translation
 * @param {MadeFrom} record
 * @returns {{ key: string, why: Staleness }[]}
 */
export function staleOf({ english, translated }, record) {
  const used = new Set(Object.keys(english).map(digest));
  const removed = new Set(
    Object.entries(record).flatMap(([key, stamp]) => (used.has(key) ? [] : [stamp.split(' ')[1] ?? ''])),
  );
  return entriesOf({ english, translated }).flatMap(([key, stamp]) => {
    const why = whyStale(record[digest(key)], stamp, removed);
    return why === undefined ? [] : [{ key, why }];
  });
}

/**
 * @param {string | undefined} known
 * @param {string} stamp
 * @param {ReadonlySet<string>} removed the translations of removed texts
 * @returns {Staleness | undefined}
 */
function whyStale(known, stamp, removed) {
  const [text, translation = ''] = stamp.split(' ');
  if (known === stamp) return undefined;
  if (known === undefined) return removed.has(translation) ? 'carried over' : 'unrecorded';
  const [knownText, knownTranslation] = known.split(' ');
  return knownText !== text && knownTranslation === translation ? 'English changed' : 'unrecorded';
}

/**
 * Records new and changed translations. A translation that stayed while its English text changed is recorded only if
 * it is listed as still right.
 * @param {Translation} translation
 * @param {MadeFrom} record
 * @param {ReadonlySet<string>} stillRight keys
 * @returns {MadeFrom} sorted
 */
export function recordOf(translation, record, stillRight) {
  const held = new Set(
    staleOf(translation, record).flatMap(({ key, why }) =>
      why === 'unrecorded' || stillRight.has(key) ? [] : [key],
    ),
  );
  const kept = new Set();
  /** @type {[string, string][]} */
  const entries = [];
  for (const [key, stamp] of entriesOf(translation)) {
    const known = record[digest(key)];
    if (!held.has(key)) entries.push([digest(key), stamp]);
    else if (known === undefined) kept.add(stamp.split(' ')[1]);
    else entries.push([digest(key), known]);
  }
  // A removed text is remembered while its translation stands at another one.
  for (const [id, stamp] of Object.entries(record))
    if (kept.has(stamp.split(' ')[1])) entries.push([id, stamp]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {Translation} translation @returns {[string, string][]} each translated key with its digests */
function entriesOf({ english, translated }) {
  return Object.entries(translated).flatMap(([key, text]) => {
    const source = Object.hasOwn(english, key) ? english[key] : undefined;
    return source === undefined ? [] : [[key, `${digest(source)} ${digest(text)}`]];
  });
}

/**
 * Short: a collision would hide one stale text of some thousands, with a chance below one in ten million.
 * @param {string} text
 */
function digest(text) {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
