/**
 * Two people edit one saved query over HTTP with the real save states: on the sandbox, and on the second service with
 * each way of refusing or storing a save. Every typed word reaches the service.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startSandbox } from '../helpers/sandbox.ts';
import { play, playStories } from '../helpers/saving-stories.ts';
import { startService, type RunningService } from '../service/service.ts';
import type { Switches } from '../service/switches.ts';

const otherServices: Readonly<Record<string, Switches>> = {
  'as it is': {},
  'by PATCH': { assumptions: { update: 'by-patch' } },
  'a stale version without its number': { assumptions: { update: 'stale-bare' } },
  'a stale version as 412': { assumptions: { update: 'stale-412' } },
  'a stale version as 428': { assumptions: { update: 'stale-428' } },
  'a stale version as 400': { assumptions: { update: 'stale-400' } },
  'trimmed texts': { oddities: ['trims-text'] },
  'members that are null': { oddities: ['null-members'] },
  'compressed answers': { oddities: ['gzip'] },
};

suite('two people save, and nothing is lost', () => {
  test('on the sandbox', async () => {
    const sandbox = await startSandbox({ accounts: 10 });
    try {
      await playStories(sandbox);
    } finally {
      await sandbox.stop();
    }
  });

  for (const [name, switches] of Object.entries(otherServices)) {
    test(`on the second service: ${name}`, async () => {
      const service: RunningService = await startService({ accounts: 10, ...switches });
      try {
        await playStories(service);
      } finally {
        await service.stop();
      }
    });
  }

  test('a confirmed write that was not stored is not reported as saved', async () => {
    const service = await startService({ accounts: 10, oddities: ['write-not-taken'] });
    try {
      await assert.rejects(play(service, [{ who: 0, line: 0, isAtOnce: false }]), /a save does not end/);
    } finally {
      await service.stop();
    }
  });
});
