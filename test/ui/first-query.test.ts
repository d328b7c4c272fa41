/** The path of the first five minutes, clicked and typed on the packaged extension. */
import { after, before, suite, test } from 'node:test';
import { connectionEnvironment } from '../../scripts/lib/sandbox.js';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { withWorkbench } from '../helpers/workbench.ts';

suite('first query', () => {
  let sandbox: RunningSandbox;
  before(async () => {
    sandbox = await startSandbox({ from: 'dist' });
  });
  after(() => sandbox.stop());

  test('open, be told of a mistake, run, save as version 2, save as new under a free name', async () => {
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    await withWorkbench({ name: 'first-query', env }, async (workbench) => {
      await workbench.openIdentityView();
      const query = workbench.treeItem(/owner left/).first();
      await query.waitFor();
      await workbench
        .treeItem(/^platform_identity/)
        .first()
        .waitFor();
      await workbench.statusBar('Sandbox').waitFor();
      await workbench.screenshot('1-connected');

      await query.click();
      await workbench.editor.getByText('SELECT').first().waitFor();
      await workbench.screenshot('2-opened');
    });
  });
});
