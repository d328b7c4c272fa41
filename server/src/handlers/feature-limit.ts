/**
 * Time limits for editing features, which share the main thread with the checks. If a user's request times out, a
 * message is shown. A feature that the editor requests automatically is disabled for the document until the text gets
 * shorter: otherwise, every keystroke would wait for it again.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { t } from '#base/texts.ts';
import { createTimeLimit, TooSlowError, type WithinTime } from '../time-limit.ts';

/** Each feature's display name, and whether the editor requests it automatically. */
const features = {
  completion: { title: () => t('Completion'), isAutomatic: true },
  hover: { title: () => t('Hover'), isAutomatic: true },
  signature: { title: () => t('Parameter hints'), isAutomatic: true },
  highlights: { title: () => t('Highlighting'), isAutomatic: true },
  outline: { title: () => t('The outline'), isAutomatic: true },
  folding: { title: () => t('Folding'), isAutomatic: true },
  tokens: { title: () => t('Semantic highlighting'), isAutomatic: true },
  hints: { title: () => t('Inlay hints'), isAutomatic: true },
  lenses: { title: () => t('Code lenses'), isAutomatic: true },
  definition: { title: () => t('Go to definition'), isAutomatic: false },
  references: { title: () => t('Finding references'), isAutomatic: false },
  rename: { title: () => t('Renaming'), isAutomatic: false },
  selection: { title: () => t('Expanding the selection'), isAutomatic: false },
} as const;

export type FeatureName = keyof typeof features;

/** Equals the time limit of a statement's second attempt (worker-parser.ts). */
const defaultLimitMs = 2_000;

export interface FeatureLimitOptions {
  /** Tells the user that a request was stopped. */
  readonly tell: (message: string) => void;
  readonly withinTime?: WithinTime;
  readonly limitMs?: number;
}

export interface FeatureLimit {
  /** Runs `work`. Returns undefined after a timeout, or if earlier timeouts disabled the feature. */
  answer<T>(name: FeatureName, document: TextDocument, work: () => T): T | undefined;
}

/** A feature's timeouts in a document, with the length of the text at that time. */
interface Ended {
  readonly times: number;
  readonly length: number;
}

/** More than one, so that a briefly overloaded machine does not disable a feature. */
const endedMax = 2;

export function createFeatureLimit({
  tell,
  withinTime = createTimeLimit(),
  limitMs = defaultLimitMs,
}: FeatureLimitOptions): FeatureLimit {
  const known = new WeakMap<TextDocument, Map<FeatureName, Ended>>();
  const seconds = limitMs / 1_000;

  const ended = (name: FeatureName, document: TextDocument, length: number): void => {
    const ofDocument = known.get(document) ?? new Map<FeatureName, Ended>();
    known.set(document, ofDocument);
    const times = (ofDocument.get(name)?.times ?? 0) + 1;
    ofDocument.set(name, { times, length });
    const { title, isAutomatic } = features[name];
    if (!isAutomatic)
      tell(
        t(
          '{0} was stopped: it took longer than {1} seconds for this text. Split the text.',
          title(),
          seconds,
        ),
      );
    else if (times === endedMax)
      tell(
        t(
          '{0} is off in this document until its text is shorter: it took longer than {1} seconds. Split the text.',
          title(),
          seconds,
        ),
      );
  };

  return {
    answer(name, document, work) {
      const { length } = document.getText();
      const before = known.get(document)?.get(name);
      if (before !== undefined && length < before.length) known.get(document)?.delete(name);
      else if (before !== undefined && before.times >= endedMax && features[name].isAutomatic)
        return undefined;
      try {
        return withinTime(limitMs, work);
      } catch (error) {
        if (!(error instanceof TooSlowError)) throw error;
        ended(name, document, length);
        return undefined;
      }
    },
  };
}
