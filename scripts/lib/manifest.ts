/** Derives parts of package.json, package.nls.json and docs/settings.md from client/src/contributions.ts. */
import {
  type CommandContribution,
  type Contributions,
  type Noun,
  type SettingContribution,
  type SettingSchema,
  type ShownCommand,
  type SubmenuContribution,
  type ViewContribution,
} from '#client/contribution-types.ts';

const prefix = 'identityQueries.';
const product = 'Identity Queries';
const icon = './media/icon.svg';

export interface Manifest {
  readonly contributes: Readonly<Record<string, unknown>>;
  /** Settings that an untrusted folder cannot override. */
  readonly restrictedConfigurations: readonly string[];
  /** Content of package.nls.json. */
  readonly texts: Readonly<Record<string, string>>;
}

/** @throws if two strings share a key, or an ID has two meanings */
export function manifestOf(features: readonly Contributions[]): Manifest {
  const texts = new Texts();
  const commands = valuesOf(features.map((feature) => feature.commands)).filter(isShown);
  const submenus = valuesOf(features.map((feature) => feature.submenus));
  const views = valuesOf(features.map((feature) => feature.views));
  const settings = valuesOf(features.map((feature) => feature.settings)).sort((one, other) =>
    one.name.localeCompare(other.name, 'en'),
  );
  const languages = features.flatMap((feature) => feature.languages ?? []);
  for (const [key, text] of features.flatMap((feature) => Object.entries(feature.texts ?? {})))
    texts.key(key, text);
  unique([...commands, ...views].map(({ id }) => id));
  unique(settings.map(({ name }) => name));
  const contributes = {
    languages: languages.map(({ grammar: _, defaults: __, ...language }) => language),
    grammars: languages.map(({ id, grammar }) => ({ language: id, ...grammar })),
    configurationDefaults: {
      ...Object.fromEntries(features.flatMap(({ editorDefaults }) => Object.entries(editorDefaults ?? {}))),
      ...Object.fromEntries(
        languages.flatMap(({ id, defaults }) => (defaults === undefined ? [] : [[`[${id}]`, defaults]])),
      ),
    },
    viewsContainers: containersOf(features, texts),
    views: grouped(
      views.toSorted((one, other) => one.order - other.order),
      ({ container }) => container,
      (view) => viewOf(view, texts),
    ),
    viewsWelcome: views.flatMap(({ id, welcome }) =>
      (welcome ?? []).map(({ key, contents, when }) => ({
        view: id,
        contents: texts.key(`welcome.${key}`, contents),
        ...(when !== undefined && { when }),
      })),
    ),
    commands: commands.map((command) => commandOf(command, texts)),
    submenus: submenus.map(({ id, label }) => ({
      id,
      label: texts.key(`menu.${id.slice(`${prefix}menu.`.length)}`, label),
    })),
    menus: menusOf(commands, submenus),
    keybindings: commands.flatMap(({ id, keys }) => (keys ?? []).map((key) => ({ command: id, ...key }))),
    configuration: topicsOf(settings).map(({ title, key, settings: ofTopic }, order) => ({
      title: texts.key(`settings.${key}`, title),
      order,
      properties: Object.fromEntries(
        ofTopic.map(({ name, restricted: _, ...schema }) => [
          `${prefix}${name}`,
          schemaOf(schema, `setting.${name}`, texts),
        ]),
      ),
    })),
    walkthroughs: walkthroughsOf(features, texts),
    mcpServerDefinitionProviders: features
      .flatMap((feature) => feature.mcpServers ?? [])
      .map(({ id, key, label }) => ({ id, label: texts.key(`mcp.${key}`, label) })),
    languageModelTools: features
      .flatMap((feature) => feature.tools ?? [])
      .map(({ name, key, displayName, modelDescription, userDescription, reference, inputSchema }) => ({
        name,
        displayName: texts.key(`tool.${key}`, displayName),
        modelDescription,
        userDescription: texts.key(`tool.${key}.description`, userDescription),
        toolReferenceName: reference,
        canBeReferencedInPrompt: true,
        inputSchema,
      })),
    colors: features
      .flatMap((feature) => feature.colours ?? [])
      .map(({ id, key, description, ...defaults }) => ({
        id,
        description: texts.key(`color.${key}`, description),
        defaults,
      })),
  };
  return {
    contributes,
    restrictedConfigurations: settings
      .filter(({ restricted }) => restricted)
      .map(({ name }) => `${prefix}${name}`),
    texts: texts.sorted(),
  };
}

/** Returns docs/settings.md before formatting. */
export function settingsDocument(features: readonly Contributions[]): string {
  const settings = valuesOf(features.map((feature) => feature.settings)).sort((one, other) =>
    one.name.localeCompare(other.name, 'en'),
  );
  const entryOf = (setting: SettingContribution) => {
    const text = setting.markdownDescription ?? setting.description ?? '';
    const choices = (setting.enum ?? []).map((value, index) => {
      const meaning = setting.enumDescriptions?.[index];
      return `- \`${value}\`${meaning === undefined ? '' : `: ${meaning}`}`;
    });
    const facts = [
      `${setting.type}, by default \`${JSON.stringify(setting.default)}\``,
      ...rangeOf(setting),
      ...(setting.scope === 'machine' ? ['ignored in folder settings'] : []),
      ...(setting.restricted && setting.scope !== 'machine' ? ['ignored in untrusted folders'] : []),
    ];
    const nested = Object.entries(setting.items?.properties ?? {}).map(
      ([name, schema]) => `- \`${name}\`: ${schema.markdownDescription ?? schema.description ?? ''}`,
    );
    const codes = Object.entries(setting.properties ?? {}).map(
      ([name, schema]) => `- \`${name}\`: \`${String(schema.default)}\``,
    );
    return [
      `### \`${prefix}${setting.name}\``,
      linked(text),
      `${facts.join('; ')}.`.replace(/^./, (letter) => letter.toUpperCase()),
      [...choices, ...nested, ...codes].join('\n'),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  };
  const entries = topicsOf(settings).flatMap((topic) => [
    `## ${topic.title}`,
    ...topic.settings.map(entryOf),
  ]);
  return [
    '# Settings',
    "<!-- Generated by `npm run manifest` from each feature's contributions.ts. Do not edit it manually. -->",
    ...entries,
  ].join('\n\n');
}

/** Settings topics, grouped as in the settings editor. */
const topics = [
  { key: 'connections', title: 'Connections and Network', names: /^(connections$|network\.)/ },
  { key: 'editor', title: 'Editor and Checks', names: /^(dialect|format|severities)/ },
  { key: 'run', title: 'Running Queries', names: /^run\./ },
  { key: 'results', title: 'Results', names: /^results\./ },
  { key: 'saved', title: 'Saved Queries and Models', names: /^(models|savedQueries)\./ },
  { key: 'controls', title: 'Controls', names: /^controls\./ },
  { key: 'history', title: 'Run History', names: /^history\./ },
  { key: 'ai', title: 'AI Access', names: /^ai\./ },
  { key: 'more', title: 'More', names: /./ },
] as const;

function topicsOf(settings: readonly SettingContribution[]) {
  const topicOf = ({ name }: SettingContribution) => topics.find(({ names }) => names.test(name));
  return topics
    .map((topic) => ({ ...topic, settings: settings.filter((each) => topicOf(each) === topic) }))
    .filter((topic) => topic.settings.length > 0);
}

function rangeOf({ minimum, maximum }: SettingSchema): readonly string[] {
  if (minimum === undefined) return [];
  return [maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`];
}

/** A setting's name between `#` signs becomes a link only in the editor. */
function linked(text: string): string {
  return text.replaceAll(/`#([\w.]+)#`/g, '`$1`');
}

/** Strings by key, written as `%key%` in the manifest. */
class Texts {
  readonly #texts = new Map<string, string>();

  key(key: string, text: string): string {
    const known = this.#texts.get(key);
    if (known !== undefined && known !== text) throw new Error(`two texts have the key ${key}`);
    this.#texts.set(key, text);
    return `%${key}%`;
  }

  sorted(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#texts].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}

function valuesOf<Entry>(parts: readonly (Readonly<Record<string, Entry>> | undefined)[]): Entry[] {
  return parts.flatMap((part) => (part === undefined ? [] : Object.values(part)));
}

function isShown(command: CommandContribution): command is ShownCommand {
  return command.title !== undefined;
}

function unique(ids: readonly string[]): void {
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`${twice} is contributed twice`);
}

function grouped<Value, Shown>(
  values: readonly Value[],
  groupOf: (value: Value) => string,
  show: (value: Value) => Shown,
): Readonly<Record<string, readonly Shown[]>> {
  const groups: Record<string, Shown[]> = {};
  for (const value of values) (groups[groupOf(value)] ??= []).push(show(value));
  return groups;
}

function commandOf(
  { id, title, category, shortTitle, icon: symbol, enablement }: ShownCommand,
  texts: Texts,
) {
  const key = `command.${id.slice(prefix.length)}`;
  return {
    command: id,
    title: texts.key(key, title),
    ...(shortTitle !== undefined && { shortTitle: texts.key(`${key}.short`, shortTitle) }),
    category: category === undefined ? product : texts.key(`category.${keyOf(category)}`, category),
    ...(symbol !== undefined && { icon: symbol }),
    ...(enablement !== undefined && { enablement }),
  };
}

/** Returns a key in package.nls.json for a noun. */
function keyOf(noun: Noun): string {
  const words = noun.replaceAll(' ', '');
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function containersOf(features: readonly Contributions[], texts: Texts) {
  return grouped(
    features.flatMap((feature) => feature.containers ?? []),
    ({ place }) => place,
    ({ id, title, titleKey, icon: symbol }) => ({
      id,
      title: titleKey === undefined ? title : texts.key(titleKey, title),
      icon: symbol,
    }),
  );
}

function viewOf(view: ViewContribution, texts: Texts) {
  const { type, id, name, when, visibility, initialSize } = view;
  return {
    ...(type !== undefined && { type }),
    id,
    name: texts.key(`views.${id.slice(prefix.length)}`, name),
    icon,
    contextualTitle: product,
    ...(when !== undefined && { when }),
    ...(visibility !== undefined && { visibility }),
    ...(initialSize !== undefined && { initialSize }),
  };
}

function menusOf(commands: readonly ShownCommand[], submenus: readonly SubmenuContribution[]) {
  const palette = commands.flatMap(({ id, palette: when }) =>
    when === undefined ? [] : [{ command: id, when }],
  );
  const places = commands.flatMap(({ id, menus }) =>
    (menus ?? []).map((place) => ({ command: id, ...place })),
  );
  const inside = submenus.flatMap(({ id, menus }) => menus.map((place) => ({ submenu: id, ...place })));
  return {
    commandPalette: palette,
    ...grouped(
      [...places, ...inside],
      (place) => place.in,
      ({ in: _, ...entry }) => entry,
    ),
  };
}

/** Replaces schema strings with keys: the setting's name, followed by the names of properties and values. */
function schemaOf(schema: SettingSchema, key: string, texts: Texts): Readonly<Record<string, unknown>> {
  const { description, markdownDescription, enumDescriptions, properties, items, ...rest } = schema;
  return {
    ...rest,
    ...(enumDescriptions !== undefined && {
      enumDescriptions: enumDescriptions.map((text, index) =>
        texts.key(`${key}.${schema.enum?.[index] ?? ''}`, text),
      ),
    }),
    ...(description !== undefined && { description: texts.key(key, description) }),
    ...(markdownDescription !== undefined && { markdownDescription: texts.key(key, markdownDescription) }),
    ...(items !== undefined && { items: schemaOf(items, key, texts) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          schemaOf(property, `${key}.${name}`, texts),
        ]),
      ),
    }),
  };
}

/** Returns a picture for each kind of theme. */
function picturesOf(picture: string) {
  const [dark, light] = [`${picture}-dark.png`, `${picture}-light.png`];
  return { dark, light, hc: dark, hcLight: light };
}

function walkthroughsOf(features: readonly Contributions[], texts: Texts) {
  return features
    .flatMap((feature) => feature.walkthroughs ?? [])
    .map(({ id, title, description, steps }) => ({
      id,
      title: texts.key('walkthrough.title', title),
      description: texts.key('walkthrough.description', description),
      steps: steps.map((step) => ({
        id: step.id,
        title: texts.key(`walkthrough.${step.id}.title`, step.title),
        description: texts.key(`walkthrough.${step.id}.description`, step.description),
        media: {
          image: picturesOf(step.picture),
          altText: texts.key(`walkthrough.${step.id}.alt`, step.pictureText),
        },
        completionEvents: step.completionEvents,
      })),
    }));
}
