/** The local socket for relays: only this user can connect, and each password works once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { AgentDoor } from '#client/features/agents/agent-door.ts';

const relay = path.resolve(import.meta.dirname, '../../../core/src/agents/mcp/relay.ts');
const served: Socket[] = [];
/** Echoes all input. */
const door = new AgentDoor((socket) => {
  served.push(socket);
  socket.pipe(socket);
});
after(() => door.close());

async function relayed(address: string, word: string): Promise<string> {
  const child = spawn(process.execPath, [relay], {
    env: {
      PATH: process.env['PATH'],
      IDENTITY_QUERIES_RELAY_SOCKET: address,
      IDENTITY_QUERIES_RELAY_WORD: word,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined); // writing fails once the socket closes
  child.stdin.end('hello\nthere\n');
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return said;
}

describe('the socket for relays', () => {
  it('forwards data in both directions for a relay with a password', async () => {
    const { address, word } = await door.invite();
    assert.equal(await relayed(address, word), 'hello\nthere\n');
    if (process.platform !== 'win32') {
      assert.equal((await stat(address)).mode & 0o777, 0o600);
      assert.equal((await stat(path.dirname(address))).mode & 0o777, 0o700);
    }
  });

  it('opens once per password, and never for a wrong one', async () => {
    const { address, word } = await door.invite();
    await relayed(address, word);
    const before = served.length;
    for (const wrong of [word, 'x'.repeat(64), '', `${word}${word}`])
      assert.equal(await relayed(address, wrong), '');
    assert.equal(served.length, before);
  });

  it('ends a connection that sends no complete password', async () => {
    const { address } = await door.invite();
    const socket = connect(address);
    socket.on('error', () => undefined); // the test only waits for the close
    socket.write(`${'y'.repeat(64)}no line end`);
    await once(socket, 'close');
  });
});
