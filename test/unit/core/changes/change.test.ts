/** Which outcomes of a change mean that rows from before it may be outdated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayHaveChanged, type ChangeState } from '#core/changes/change.ts';

await test('only a target that was sent and not refused may have changed', () => {
  const states: readonly (readonly [ChangeState, boolean])[] = [
    [{ kind: 'waiting' }, false],
    [{ kind: 'accepted', at: 1, jobId: 'job' }, false],
    [{ kind: 'not-sent', reason: 'stopped' }, false],
    [{ kind: 'refused', reason: 'no', code: 'NO' }, false],
    [{ kind: 'ended', at: 1, jobId: 'job' }, true],
    [{ kind: 'found-changed', at: 1 }, true],
    [{ kind: 'found-unchanged', at: 1 }, true],
    [{ kind: 'unknown', at: 1, reason: 'no response' }, true],
  ];
  for (const [state, isPossible] of states) assert.equal(mayHaveChanged({ state }), isPossible, state.kind);
});
