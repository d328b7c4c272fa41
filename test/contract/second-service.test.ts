/** Runs the client half of the contract suite on a service written only from the specification. */
import { suite } from 'node:test';
import { useService, type StartSandboxOptions } from '../helpers/sandbox.ts';
import { startService } from '../service/service.ts';

suite('on the second service', async () => {
  useService(({ accounts, args = [] }: StartSandboxOptions) => {
    const preparing = args.indexOf('--preparing-pages');
    return startService({
      accounts,
      preparingPages: preparing < 0 ? undefined : Number(args[preparing + 1]),
    });
  });
  for (const name of [
    'client',
    'command-line-export',
    'control-faults',
    'edit-record',
    'resources',
    'save-export',
  ]) {
    await suite(name, async () => {
      await import(`./${name}.test.ts`);
    });
  }
});
