/** Adds runs to a history until it is killed: node history-process.ts FOLDER NAME. */
import { HistoryFolder } from '#core/controls/history/history-folder.ts';

const [, , folder = '', name = ''] = process.argv;
const history = new HistoryFolder(folder);
for (let number = 0; ; number += 1) {
  const outcome = number % 3 === 0 ? 'fail' : 'pass';
  await history.add({
    startedAt: new Date(),
    ms: 1,
    scope: name,
    connections: [name],
    problems: 0,
    outcomes: Array.from({ length: 200 }, (_, index) => ({
      control: `C-${index}`,
      connection: name,
      outcome,
      message: 'A sentence of some length about what was found.',
    })),
  });
  process.stdout.write('.');
}
