/** `mcp`: serves agents over standard input and output, within the connection's access level. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { AuthError } from '#api/client/errors.ts';
import type { AgentConnection, Proposal } from '#core/agents/agent-host.ts';
import { agentLevels, lowerLevel, type AgentLevel } from '#core/connections/agent-level.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { readCatalogue } from '#core/models/read-schema.ts';
import { agentLevelOf, agentLimitsFrom } from '#core/policy/agent-levels.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { CliError, type CliContext } from '../context.ts';
import { memoryOf } from '../memory-of.ts';
import { write } from '../output.ts';
import { versionStoreOf } from '../run/read-query.ts';
import { withConnectionOptions, withService, type ConnectionOptions, type Service } from '../service.ts';

interface McpOptions extends ConnectionOptions {
  readonly ai?: AgentLevel;
  readonly maxRows?: number;
  readonly maxBytes?: number;
  readonly callsPerMinute?: number;
  readonly sensitive: readonly string[];
}

/** Lifetime of a cached schema, in milliseconds. */
const catalogueMs = 10 * 60_000;

export function mcpCommand(context: CliContext, version: string): Command {
  const command = new Command('mcp')
    .summary('serve agents over the Model Context Protocol, within the access of the connection')
    .description(
      'Serves agents over standard input and output, with the Model Context Protocol. The "ai" entry of the connection sets what they may do: off (the default), schema, saved or select. A protected connection allows saved at most.',
    )
    .addOption(new Option('--ai <level>', 'allow less than the connection does').choices(agentLevels))
    .option('--max-rows <number>', 'maximum rows in a response (default: 100)', positiveInteger)
    .option('--max-bytes <number>', 'maximum bytes of a response (default: 16000)', positiveInteger)
    .option(
      '--calls-per-minute <number>',
      'maximum calls per minute, across all programs (default: 20)',
      positiveInteger,
    )
    .addOption(
      new Option(
        '--sensitive <pattern>',
        'additional columns to mask, as column or table.column with *; repeat it for more',
      )
        .argParser((pattern: string, before: readonly string[]) => [...before, pattern])
        .default([], 'none'),
    )
    .addHelpText(
      'after',
      `
Example, as the entry of a client's configuration:
  { "command": "identity-queries", "args": ["mcp", "--connection", "Production"] }`,
    );
  return withConnectionOptions(command, agentWait).action(async (options: McpOptions) => {
    const { wait = agentWait } = options;
    await withService(context, { ...options, wait }, (service) =>
      serve(context, service, { options, version }),
    );
  });
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return value;
}

/** Programs that serve agents give up a call after about a minute; seconds. */
const agentWait = 10;

async function serve(
  context: CliContext,
  service: Service,
  { options, version }: { readonly options: McpOptions; readonly version: string },
): Promise<void> {
  const { createAgentSession, serveAgents } = await import('#core/agents/mcp/serve.ts');
  const connection = agentConnection(service, options, context);
  if (connection.level === 'off')
    await write(
      context.stderr,
      `The connection "${connection.name}" gives agents no access, so they see no tools. Add "ai": "schema", "saved" or "select" to its entry in your own connections file, or set IDENTITY_QUERIES_AI for the connection of the environment.\n`,
    );
  const { session, checks } = createAgentSession(
    { connection: () => connection, propose: (proposal) => propose(proposal, service) },
    memoryOf(context),
  );
  const serving = await serveAgents({
    session,
    version,
    input: process.stdin,
    output: process.stdout,
    onError: () => undefined,
  });
  const stop = () => {
    void serving.close();
    // Otherwise, the program would wait for its client.
    process.stdin.destroy();
  };
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    await serving.ended;
    context.signal.throwIfAborted();
    if (!process.stdin.readableEnded && !process.stdin.destroyed)
      throw new CliError(
        'The connection with the agent ended: its program sent a message of more than 1 MB, or takes no answers.',
      );
  } finally {
    context.signal.removeEventListener('abort', stop);
    // Otherwise, a client that goes on writing would keep the program.
    process.stdin.destroy();
    await serving.close();
    await checks.dispose();
  }
}

function agentConnection(
  { profile, client }: Service,
  options: McpOptions,
  { cwd, environment, signal }: CliContext,
): AgentConnection {
  const own = agentLevelOf(profile);
  let known: { readonly at: number; readonly models: Promise<readonly CatalogueModel[]> } | undefined;
  return {
    name: profile.name,
    key: connectionKeyOf(profile),
    folder: cwd,
    level: options.ai === undefined ? own : lowerLevel(own, options.ai),
    limits: agentLimitsFrom(options),
    sensitivePatterns: [
      ...(profile.sensitiveColumns ?? []),
      // Command line options only restrict access.
      ...options.sensitive.filter((pattern) => !pattern.trim().startsWith('!')),
    ],
    service: () => Promise.resolve(client),
    knownQueryIds: () => versionStoreOf(environment, profile).queryIds(profile.name),
    async catalogue() {
      const now = performance.now();
      if (known === undefined || now - known.at > catalogueMs) {
        // Shared by all calls: a cancelled call must not affect the others, but the end of the program does.
        const models = readCatalogue(client, { signal });
        models.catch(() => (known = undefined));
        known = { at: now, models };
      }
      return { models: await known.models };
    },
  };
}

/** Returns the proposal as text, since there is no editor to show it in. */
async function propose({ name, model, sql }: Proposal, { client }: Service): Promise<string> {
  const refused = await client.requireScope('write').then(
    () => undefined,
    (error: unknown) => error,
  );
  const place =
    refused instanceof AuthError && refused.at === 'forbidden'
      ? `as a file, since this connection cannot save it. ${refused.message}`
      : `in VS Code with "New Query" and "Save as New...", under the name "${name}", for the model ${model}.`;
  return `Show this to the person, who may save it: ${place}\n\n${sql}`;
}
