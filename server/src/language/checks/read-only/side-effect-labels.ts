/** Translates side effects, worded as the end of a sentence. The English words are the keys. */
import { t } from '#base/texts.ts';

const words = {
  'acts on other sessions': () => t('acts on other sessions'),
  'administers the database server': () => t('administers the database server'),
  'assigns a transaction number': () => t('assigns a transaction number'),
  'changes a sequence': () => t('changes a sequence'),
  'changes settings of the session': () => t('changes settings of the session'),
  'changes data that the database server stores': () => t('changes data that the database server stores'),
  'changes what the database stores': () => t('changes what the database stores'),
  'changes how the session plans queries': () => t('changes how the session plans queries'),
  'makes the database wait': () => t('makes the database wait'),
  'locks a table': () => t('locks a table'),
  'locks what the query reads': () => t('locks what the query reads'),
  'creates or uses keys of the database server': () => t('creates or uses keys of the database server'),
  'may have side effects: PostgreSQL does not declare it free of them': () =>
    t('may have side effects: PostgreSQL does not declare it free of them'),
  'changes a queue': () => t('changes a queue'),
  'reaches the files of the database server': () => t('reaches the files of the database server'),
  'runs the checks of a type that is given as a string or number': () =>
    t('runs the checks of a type that is given as a string or number'),
  'reads or writes large objects': () => t('reads or writes large objects'),
  'reads tables that the query does not name': () => t('reads tables that the query does not name'),
  'resets or changes statistics': () => t('resets or changes statistics'),
  'runs a program on the database server': () => t('runs a program on the database server'),
  'runs a query given as text, which cannot be checked': () =>
    t('runs a query given as text, which cannot be checked'),
  'runs program text on the database server': () => t('runs program text on the database server'),
  'runs statements on another connection': () => t('runs statements on another connection'),
  'runs the query of a cursor': () => t('runs the query of a cursor'),
  'sends a request to another server': () => t('sends a request to another server'),
  'starts, changes or stops jobs in the database': () => t('starts, changes or stops jobs in the database'),
  'takes or releases a lock that outlives the query': () =>
    t('takes or releases a lock that outlives the query'),
  'trains or runs models on the database server': () => t('trains or runs models on the database server'),
} as const satisfies Readonly<Record<string, () => string>>;

export type SideEffect = keyof typeof words;

export const sideEffectInWords = (does: SideEffect): string => words[does]();
