/** `models`: lists models, or the tables and columns of one. */
import { Command } from 'commander';
import { typedText } from '#base/advice.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { readCatalogue, type ReadModel } from '#core/models/read-schema.ts';
import type { CatalogueTable } from '#server/protocol.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { sayUnread } from '../models/say-unread.ts';
import { exitCodes, write, writeJson } from '../output.ts';
import { withConnectionOptions, withService, type ConnectionOptions, type Service } from '../service.ts';
import { TextTable } from '../terminal/text-table.ts';

interface ModelsOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export function modelsCommand(context: CliContext): Command {
  const command = new Command('models')
    .summary('list the models, or the tables and columns of one')
    .description('Lists the models of the service. With NAME, lists the tables and columns of that model.')
    .argument('[name]', 'a model')
    .option('--json', 'print JSON, with tables and columns; `check --models` reads it');
  return withConnectionOptions(command).action(async (name: string | undefined, options: ModelsOptions) => {
    await withService(context, options, async (service) => {
      if (options.json === true) await printJson(context, service, name);
      else if (name === undefined) await printModels(context, service);
      else await printTables(context, service, name);
    });
    context.end(exitCodes.clean);
  });
}

async function printJson(context: CliContext, service: Service, name: string | undefined): Promise<void> {
  await writeJson(context.stdout, { models: await readModels(context, service, name) });
}

/** Reads the models with their tables, and says what could not be read. @throws CliError if none has the name. */
async function readModels(
  { stderr, signal }: CliContext,
  { client }: Service,
  name: string | undefined,
): Promise<readonly ReadModel[]> {
  const [models, areAllRead] = await sayingLeftOut(stderr, (onLeftOut) =>
    readCatalogue(client, { signal, only: name, onLeftOut }),
  );
  if (name !== undefined && models.length === 0) throw unknownModel(name, areAllRead);
  for (const model of models) await sayUnread(stderr, model, 'shown');
  return models;
}

async function printModels({ stdout, stderr, signal }: CliContext, { client }: Service): Promise<void> {
  const table = new TextTable([{ name: 'model' }, { name: 'description' }]);
  const [models] = await sayingLeftOut(stderr, (onLeftOut) => client.models.list({ signal, onLeftOut }));
  await write(stdout, table.rows(models.map(({ name, description }) => [name, description])));
}

async function printTables(context: CliContext, service: Service, name: string): Promise<void> {
  const models = await readModels(context, service, name);
  const table = new TextTable([
    { name: 'table' },
    { name: 'column' },
    { name: 'type' },
    { name: 'description' },
  ]);
  const tables = models.flatMap((model) => model.tables ?? []);
  await write(context.stdout, table.rows(tables.flatMap(columnRows)));
}

/** Reads models, and says why not all could be read. @returns what was read, and whether it is all. */
async function sayingLeftOut<Read>(
  stderr: CliContext['stderr'],
  read: (onLeftOut: (problems: readonly string[]) => void) => Promise<Read>,
): Promise<readonly [Read, boolean]> {
  const leftOut: string[] = [];
  const models = await read((problems) => problems.forEach((each) => leftOut.push(each)));
  const [first] = leftOut;
  if (first === undefined) return [models, true];
  const others = leftOut.length === 1 ? '' : ` And ${leftOut.length - 1} more.`;
  await write(stderr, `${forTerminal(`Not all models could be read: ${first}${others}`)}\n`);
  return [models, false];
}

function columnRows({ name, columns = [] }: CatalogueTable): readonly (readonly string[])[] {
  return columns.map((column) => [name, column.name, column.type, column.description ?? '']);
}

function unknownModel(name: string, areAllRead: boolean): CliError {
  return new CliError(
    `The service has no model "${name}"${areAllRead ? '' : ' that can be read'}. List them with: ${typedText(advice.listModels())}`,
  );
}
