/** What functions do besides computing, as the end of a sentence. The English words are the data; these are shown. */
import { t } from '../../../../../core/src/util/texts.ts';

const words = {
  'acts on other sessions': () => t('acts on other sessions'),
  'administers the database server': () => t('administers the database server'),
  'assigns a transaction number': () => t('assigns a transaction number'),
  'changes a sequence': () => t('changes a sequence'),
  'changes settings of the session': () => t('changes settings of the session'),
  'changes what the database server stores or keeps': () =>
    t('changes what the database server stores or keeps'),
  'changes what the database stores': () => t('changes what the database stores'),
  'changes which plans the session makes': () => t('changes which plans the session makes'),
  'keeps the database waiting': () => t('keeps the database waiting'),
  'locks a table': () => t('locks a table'),
  'locks what the query reads': () => t('locks what the query reads'),
  'makes or uses keys of the database server': () => t('makes or uses keys of the database server'),
  'may change something: PostgreSQL does not say that it only computes': () =>
    t('may change something: PostgreSQL does not say that it only computes'),
  'changes a queue': () => t('changes a queue'),
  'reaches the files of the database server': () => t('reaches the files of the database server'),
  'reads a value by the checks of a type that a text or number names': () =>
    t('reads a value by the checks of a type that a text or number names'),
  'reads or writes large objects': () => t('reads or writes large objects'),
  'reads tables that the text does not name': () => t('reads tables that the text does not name'),
  'resets or changes statistics': () => t('resets or changes statistics'),
  'runs a program on the database server': () => t('runs a program on the database server'),
  'runs a query given as text, which cannot be checked': () =>
    t('runs a query given as text, which cannot be checked'),
  'runs program text on the database server': () => t('runs program text on the database server'),
  'runs statements on another connection': () => t('runs statements on another connection'),
  'runs what a cursor was opened for': () => t('runs what a cursor was opened for'),
  'sends a request to another server': () => t('sends a request to another server'),
  'starts, changes or stops jobs in the database': () => t('starts, changes or stops jobs in the database'),
  'takes or frees a lock that outlives the query': () => t('takes or frees a lock that outlives the query'),
  'trains or runs models on the database server': () => t('trains or runs models on the database server'),
} as const satisfies Readonly<Record<string, () => string>>;

export type SideEffect = keyof typeof words;

export const sideEffectInWords = (does: SideEffect): string => words[does]();
