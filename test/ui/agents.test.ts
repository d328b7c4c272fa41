/**
 * Agents in a real workbench: the editor starts our server like any other, offers its tools to models, and asks the
 * user to confirm before a tool runs. No language model is available, so an extension calls the tools.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

interface Seen {
  readonly tools: readonly string[];
  /** The outcome of the last call: the text of its response, or why it failed. */
  readonly called?: string;
}

/** Writes an extension that starts servers, calls tools, and records the outcomes. */
async function writeCaller(
  folder: string,
): Promise<{ readonly development: string; readonly seen: () => Seen }> {
  const development = path.join(folder, 'caller');
  const file = path.join(folder, 'seen.json');
  await mkdir(development);
  const about = { name: 'caller', publisher: 'test', version: '0.0.1', engines: { vscode: '^1.106.0' } };
  const calls = {
    list: { title: 'List Models', tool: 'list_models', input: {} },
    run: {
      title: 'SQL Query',
      tool: 'run_query',
      input: { sql: 'SELECT id, email FROM accounts WHERE enabled ORDER BY id', max_rows: 3 },
    },
    show: {
      title: 'Show Rows',
      tool: 'identityQueries_showRows',
      input: { sql: 'SELECT id, email FROM accounts WHERE enabled ORDER BY id LIMIT 3' },
    },
    ask: {
      title: 'Show Rows of a Value',
      tool: 'identityQueries_showRows',
      input: { sql: 'SELECT id, email FROM accounts WHERE id = :id' },
    },
    keep: {
      title: 'Show and Keep Rows',
      tool: 'identityQueries_showRows',
      input: { sql: '-- @keep 10 runs with sensitive columns\nSELECT id, email FROM accounts LIMIT 3' },
    },
  };
  const commands = [
    { command: 'caller.start', title: 'Caller: Start Servers' },
    ...Object.entries(calls).map(([id, { title }]) => ({
      command: `caller.${id}`,
      title: `Caller: ${title}`,
    })),
  ];
  await writeFile(
    path.join(development, 'package.json'),
    JSON.stringify({
      ...about,
      main: './main.js',
      activationEvents: ['onStartupFinished'],
      contributes: { commands },
    }),
  );
  await writeFile(
    path.join(development, 'main.js'),
    `const vscode = require('vscode');
    const fs = require('fs');
    let called;
    function write() {
      const tools = vscode.lm.tools.map(({ name }) => name);
      fs.writeFileSync(${JSON.stringify(`${file}.new`)}, JSON.stringify({ tools, called }));
      fs.renameSync(${JSON.stringify(`${file}.new`)}, ${JSON.stringify(file)});
    }
    exports.activate = (context) => {
      const on = (id, run) => context.subscriptions.push(vscode.commands.registerCommand(id, run));
      on('caller.start', async () => {
        // Our server is offered a moment after the window is connected; until then there is none to start.
        while (!vscode.lm.tools.some(({ name }) => name.startsWith('mcp_'))) {
          await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        write();
      });
      for (const [id, call] of Object.entries(${JSON.stringify(calls)}))
        on('caller.' + id, async () => {
          called = undefined;
          write();
          const tool = vscode.lm.tools.find(({ name }) => name.endsWith(call.tool));
          try {
            const { content } = await vscode.lm.invokeTool(tool.name, { input: call.input, toolInvocationToken: undefined });
            called = content.map((part) => part.value ?? JSON.stringify(part)).join('\\n');
          } catch (error) {
            called = 'failed: ' + error.message;
          }
          write();
        });
      write();
    };`,
  );
  return {
    development,
    seen: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Seen) : { tools: [] }),
  };
}

async function answerOf(workbench: Workbench, seen: () => Seen): Promise<string> {
  await workbench.until('the call has an answer', () => Promise.resolve(seen().called !== undefined));
  return seen().called ?? '';
}

suite('agents', () => {
  test('the editor starts the server, and asks before a query runs', async () => {
    const sandbox = await startSandbox({ accounts: 200 });
    const folder = await mkdtemp(path.join(tmpdir(), 'agents-ui-'));
    const { development, seen } = await writeCaller(folder);
    const env = {
      ...connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Production'),
      IDENTITY_QUERIES_AI: 'select',
      XDG_DATA_HOME: path.join(folder, 'data'),
    };
    const executions = async () =>
      (await sandbox.requests()).filter(({ path: to }) => to === '/v1/query/execute').length;
    try {
      await withWorkbench(
        { name: 'agents', env, development, settings: { 'chat.disableAIFeatures': false } },
        async (workbench) => {
          await workbench.openIdentityView();
          await workbench.statusBar('Production').waitFor();
          await workbench.runCommand('Caller: Start Servers');
          const toolsOfServer = () => seen().tools.filter((name) => name.startsWith('mcp_'));
          await workbench.until('the tools of the server are there', () =>
            Promise.resolve(toolsOfServer().length === 9),
          );
          await workbench.screenshot('1-started');

          // This call only reads known model data, so it needs no confirmation.
          await workbench.runCommand('Caller: List Models');
          assert.match(
            await answerOf(workbench, seen),
            /"status":"complete","notice":"Up to [^]*platform_identity[^]*,"end":/,
          );

          const before = await executions();
          await workbench.runCommand('Caller: SQL Query');
          await workbench.dialog.getByText('Run SQL Query').waitFor();
          await workbench.dialog.getByText(/Connection: Production\. At most 100 rows/).waitFor();
          await workbench.screenshot('2-asked');
          assert.equal(await executions(), before, 'nothing is sent before a person said yes');
          await workbench.dialog.getByRole('button', { name: 'Cancel' }).click();
          assert.match(await answerOf(workbench, seen), /^failed: /);
          assert.equal(await executions(), before, 'nor after a no');

          await workbench.runCommand('Caller: SQL Query');
          await workbench.dialog.getByRole('button', { name: 'Yes' }).click();
          const rows = await answerOf(workbench, seen);
          assert.match(rows, /"status":"truncated"[^]*email:[0-9a-f]{8}/);
          assert.doesNotMatch(rows, /@example/);

          await workbench.runCommand('Caller: Show Rows');
          await workbench.dialog.getByText('Connection: Production').waitFor();
          await workbench.dialog.getByText('SELECT id, email FROM accounts').waitFor();
          await workbench.screenshot('3-asked-to-show');
          await workbench.dialog.getByRole('button', { name: 'Yes' }).click();
          assert.doesNotMatch(await answerOf(workbench, seen), /@example|account-/);
          await workbench.webview.getByText('@example.com').first().waitFor();
          await workbench.screenshot('4-shown');

          // Neither a form for values nor a file of rows: they are only shown.
          const shown = await executions();
          for (const title of ['Show Rows of a Value', 'Show and Keep Rows']) {
            await workbench.runCommand(`Caller: ${title}`);
            await workbench.dialog.getByText('Connection: Production').waitFor();
            await workbench.dialog.getByRole('button', { name: 'Yes' }).click();
            assert.match(await answerOf(workbench, seen), /^Refused: it has parameters, or keeps its rows/);
          }
          assert.equal(await executions(), shown);

          await workbench.runCommand('Identity Queries: Show AI Calls');
          await workbench.editor.getByText('The log is unchanged').first().waitFor();
          await workbench.editor.getByText('run_query').first().waitFor();
          await workbench.screenshot('5-activity');
        },
      );
    } finally {
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
