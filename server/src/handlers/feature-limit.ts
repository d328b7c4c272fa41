/**
 * The editing features have as long as the check of a statement, since they run in the thread that answers everybody.
 * What a person asked for says that it was given up; what the editor asks for by itself is then off for the document,
 * until that is shorter: every key would take as long again.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { createTimeLimit, TooSlowError, type WithinTime } from '../time-limit.ts';

/** What each is called at the start of a sentence, and whether the editor asks for it by itself. */
const features = {
  completion: { title: 'Completion', isAutomatic: true },
  hover: { title: 'Hover', isAutomatic: true },
  signature: { title: 'Help with arguments', isAutomatic: true },
  highlights: { title: 'Highlighting of a name', isAutomatic: true },
  outline: { title: 'The outline', isAutomatic: true },
  folding: { title: 'Folding', isAutomatic: true },
  tokens: { title: 'Colouring of names', isAutomatic: true },
  hints: { title: 'Notes between the words', isAutomatic: true },
  lenses: { title: 'Links above statements', isAutomatic: true },
  definition: { title: 'Go to definition', isAutomatic: false },
  references: { title: 'Finding references', isAutomatic: false },
  rename: { title: 'Renaming', isAutomatic: false },
  selection: { title: 'Expanding the selection', isAutomatic: false },
} as const;

export type FeatureName = keyof typeof features;

/** As long as the second attempt at a statement (worker-parser.ts). */
const defaultLimitMs = 2_000;

export interface FeatureLimitOptions {
  /** Says to the person what was given up. */
  readonly tell: (message: string) => void;
  readonly withinTime?: WithinTime;
  readonly limitMs?: number;
}

export interface FeatureLimit {
  /** Undefined where it took too long, now or before. */
  answer<T>(name: FeatureName, document: TextDocument, work: () => T): T | undefined;
}

/** How often a feature was ended in a document, and how long that was then. */
interface Ended {
  readonly times: number;
  readonly length: number;
}

/** A machine that is busy for a moment is no reason to do without a feature. */
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
      tell(`${title} was given up: it took longer than ${seconds} seconds for this text. Split the text.`);
    else if (times === endedMax)
      tell(
        `${title} is off in this document until its text is shorter: it took longer than ${seconds} seconds. Split the text.`,
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
