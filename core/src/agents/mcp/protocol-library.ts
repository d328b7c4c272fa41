/**
 * The parts of the protocol's library that the server uses. A separate bundle, loaded when the first agent connects. It
 * must not contain any of our modules: a second copy of a class breaks `instanceof` in the process that loads it.
 */
export {
  fromJsonSchema,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
