/**
 * The process that the editor starts as an agent server. It relays bytes to the extension, which holds the connection.
 * Its only secret is a one-time password for the relay.
 */
import { connect } from 'node:net';

const { IDENTITY_QUERIES_RELAY_SOCKET: address, IDENTITY_QUERIES_RELAY_WORD: word } = process.env;

if (address === undefined || word === undefined) {
  process.stderr.write('This program is started by the editor.\n');
  process.exitCode = 2;
} else {
  const socket = connect(address);
  socket.once('connect', () => {
    socket.write(`${word}\n`);
    process.stdin.pipe(socket).pipe(process.stdout);
  });
  socket.once('error', (error) => {
    process.stderr.write(`The extension cannot be reached: ${error.message}\n`);
    process.exitCode = 1;
    process.stdin.destroy();
  });
  socket.once('close', () => process.stdin.destroy());
}
