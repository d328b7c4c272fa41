/** The door of a team's service, as a load balancer sees it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StateTokens } from '#service/state/clients.ts';
import { openSqliteState } from '#service/state/sqlite-state.ts';
import { createFront } from '#service/team/front.ts';

suite('the door of a team’s service', () => {
  test('keeps an idle connection longer than a load balancer does', async () => {
    const state = await openSqliteState(undefined);
    const options = {
      host: '127.0.0.1',
      publicUrl: undefined,
      allowedHosts: [],
      baseUrl: '',
      log: () => undefined,
    };
    const front = createFront(options, {
      tls: undefined,
      appOf: () => undefined,
      first: undefined,
      isAway: () => false,
      tokens: new StateTokens(state),
      signIn: () => undefined,
      sourceOfExport: () => Promise.resolve(undefined),
      notReady: () => Promise.resolve([]),
      facts: () => ({}),
      requestLog: () => undefined,
      onRequest: () => undefined,
    });
    const address = await front.listen({ host: '127.0.0.1', port: 0 });
    try {
      const answer = await fetch(`${address}/health`);
      assert.equal(answer.headers.get('keep-alive'), 'timeout=72');
      const nobody = await fetch(`${address}/v1/schema/models`);
      assert.equal(nobody.status, 403);
    } finally {
      await front.close();
      await state.close();
    }
  });
});
