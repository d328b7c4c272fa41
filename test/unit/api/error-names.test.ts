/** Error classes keep their names in logs, even though the bundler renames the classes. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import * as errors from '#api/client/errors.ts';

suite('names of errors', () => {
  test('match the source after minification', async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('../../../api/client/errors.ts', import.meta.url))],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    const code = outputFiles[0]?.text ?? '';
    const minified = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof errors; // same module
    const fields = { code: 'CODE', retryable: false };
    const thrown = (from: typeof errors) => [
      new from.TransportError('', 'refused', undefined),
      new from.TimeoutError('', 1),
      new from.AuthError('', 'forbidden', fields),
      new from.NotFoundError('', fields),
      new from.ConflictError('', fields),
      new from.RateLimitError('', fields),
      new from.RejectedError('', { ...fields, serviceMessage: '' }),
      new from.ServerFaultError('', fields),
      new from.ContractError('', { status: 200 }),
      new from.CertificateError('unusable', ''),
      new from.UserAbort(),
    ];
    const names = thrown(errors).map((error) => error.constructor.name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      thrown(minified).map(({ name }) => name),
      names,
    );
  });
});
