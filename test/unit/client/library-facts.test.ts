/** The line beside a library query; a narrow list shows only its start. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { factsLine } from '../../../client/src/features/library/facts-line.ts';

suite('the line beside a query of the library', () => {
  test('says what fits before the tags', () => {
    const tags = ['soc2=CC6.2', 'soc2=CC6.3', 'iso27001=A.8.2'];
    assert.equal(
      factsLine({ severity: 'critical', tags }, 'lacks roles.privileged'),
      'critical · lacks roles.privileged · soc2=CC6.2 soc2=CC6.3 iso27001=A.8.2',
    );
  });
  test('omits missing facts', () => {
    assert.equal(factsLine({ severity: '', tags: [] }, 'fits'), 'fits');
    assert.equal(factsLine(undefined, 'fit unknown'), 'fit unknown');
  });
});
