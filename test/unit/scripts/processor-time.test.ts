/** Processor time of a process and all that it starts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { totalOf } from '#scripts/lib/processor-time.js';

describe('processor time', () => {
  it('counts each process once, whether it was seen, waited for, both, or neither of them', () => {
    const members = new Map([
      // Waited 70: a seen child of 50, and 20 of children that ended between two samples.
      ['root', { own: 10, waited: 70, parent: '' }],
      ['seen', { own: 30, waited: 20, parent: 'root' }],
      ['left alone', { own: 5, waited: 0, parent: 'root' }],
      ['grandchild', { own: 20, waited: 0, parent: 'seen' }],
    ]);
    assert.equal(totalOf(members, new Set(['root', 'left alone'])), 85);
  });
});
