/**
 * What the editor starts as a server for agents: it hands bytes on to the extension, which has the connection. It knows
 * no secret but a word that opens the door once.
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
    process.stderr.write(`The extension is not reached: ${error.message}\n`);
    process.exitCode = 1;
    process.stdin.destroy();
  });
  socket.once('close', () => process.stdin.destroy());
}
