/** Finds wording issues in user-visible strings: `node scripts/words.js`. */
import { problemsOf, shownTexts } from './lib/words.js';

const found = [...shownTexts()].flatMap(([text, place]) =>
  problemsOf(text).map((say) => `${place}: ${say}\n    ${JSON.stringify(text)}`),
);
for (const line of found) process.stdout.write(`${line}\n`);
process.exit(found.length === 0 ? 0 : 1);
