/** A receiver that cannot be told is named, whatever the reason, and costs the others nothing. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { CliContext } from '#cli/context.ts';
import { notifyAll } from '#cli/controls/notify.ts';
import { HistoryFolder } from '#core/controls/history/history-folder.ts';
import { changesBetween } from '#core/controls/history/outcome-state.ts';

test('a program that no folder can hold is told like one that is missing', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'identity-queries-notify-'));
  try {
    const folder = new HistoryFolder(path.join(root, 'history'));
    const { head, before, state } = await folder.add({
      ...{ startedAt: new Date(), ms: 1, scope: '', connections: ['eu'], problems: 0 },
      outcomes: [{ control: 'A', connection: 'eu', outcome: 'fail' }],
    });
    const news = { head, changes: changesBetween(before, state) };
    await writeFile(path.join(root, 'file'), '');
    let said = '';
    const stderr = new Writable({
      write: (chunk, _, done) => {
        said += String(chunk);
        done();
      },
    });
    const { signal } = new AbortController();
    const context = { stderr, signal, environment: {} } as unknown as CliContext; // nothing else is used
    const tool = path.join(root, 'file', 'tool');
    const kept = { folder, news, reported: undefined as never };
    assert.equal(await notifyAll(context, kept, { receivers: [], program: [tool] }), false);
    assert.match(said, /tool was not told what is new: ENOTDIR\. The next run tells it\.\n$/);
  } finally {
    await rm(root, { recursive: true });
  }
});
