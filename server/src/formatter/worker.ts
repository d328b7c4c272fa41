/** Formats in a thread of its own: a quarter of a second for 100 KB would hold up everything else. */
import { parentPort } from 'node:worker_threads';
import { formatDialect, postgresql } from 'sql-formatter';
import type { FormatAnswer, FormatRequest } from './messages.ts';

parentPort?.on('message', ({ text, tabWidth, useTabs }: FormatRequest) => {
  parentPort?.postMessage(format(text, tabWidth, useTabs));
});

function format(text: string, tabWidth: number, useTabs: boolean): FormatAnswer {
  try {
    return {
      text: formatDialect(text, {
        dialect: postgresql,
        tabWidth,
        useTabs,
        keywordCase: 'preserve',
        paramTypes: { named: [':'], numbered: ['$'] },
      }),
    };
  } catch {
    // It throws where it cannot read the text; then there is no formatted one.
    return {};
  }
}
