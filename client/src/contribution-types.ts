/**
 * Types for the features' contributions to the editor: plain data in each feature's `contributions.ts`, from which
 * scripts/manifest.ts generates package.json, package.nls.json and docs/settings.md. All text here is English.
 */

export interface Contributions {
  readonly commands?: Readonly<Record<string, CommandContribution>>;
  readonly submenus?: Readonly<Record<string, SubmenuContribution>>;
  readonly views?: Readonly<Record<string, ViewContribution>>;
  readonly settings?: Readonly<Record<string, SettingContribution>>;
  /** Different defaults for settings of the editor itself, in all languages. */
  readonly editorDefaults?: Readonly<Record<string, unknown>>;
  /** Keys for `when` clauses. */
  readonly contextKeys?: Readonly<Record<string, string>>;
  readonly containers?: readonly ContainerContribution[];
  readonly languages?: readonly LanguageContribution[];
  readonly colours?: readonly ColourContribution[];
  readonly walkthroughs?: readonly WalkthroughContribution[];
  readonly mcpServers?: readonly McpServersContribution[];
  readonly tools?: readonly ToolContribution[];
  /** Manifest strings outside `contributes`, by key in package.nls.json. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** Providers of MCP servers that the extension contributes. */
export interface McpServersContribution {
  readonly id: string;
  readonly key: string;
  readonly label: string;
}

/** A tool for the editor's language models. Text meant for the model is not translated. */
export interface ToolContribution {
  readonly name: string;
  readonly key: string;
  readonly displayName: string;
  readonly modelDescription: string;
  readonly userDescription: string;
  /** The name to type after `#` to reference the tool. */
  readonly reference: string;
  readonly inputSchema: SettingSchema;
}

export type CommandContribution = InternalCommand | ShownCommand;

/** An internal command for links, tests and other extensions. It appears neither in the palette nor in package.json. */
export interface InternalCommand {
  readonly id: `_identityQueries.${string}`;
  readonly title?: never;
}

export type Noun = 'Change' | 'Export' | 'Models' | 'Records' | 'Saved Queries' | 'Saved Query' | 'Version';

export interface ShownCommand {
  readonly id: `identityQueries.${string}`;
  /** Short: its row, view or category says what it applies to. */
  readonly title: string;
  /** What the command applies to, before its title in the palette; the product's name by default. */
  readonly category?: Noun;
  /** Shorter title for a toolbar; the menus of rows show the title. */
  readonly shortTitle?: string;
  readonly icon?: string;
  readonly enablement?: string;
  /** When the command is listed in the palette; omit for always, `false` for never. */
  readonly palette?: string;
  readonly menus?: readonly MenuPlace[];
  readonly keys?: readonly KeyBinding[];
}

export interface MenuPlace {
  readonly in:
    | 'editor/title'
    | 'explorer/context'
    | 'editor/title/run'
    | 'editor/context'
    | 'view/title'
    | 'view/item/context'
    | 'scm/title'
    | 'scm/resourceState/context'
    | 'testing/item/context'
    | 'testing/message/content'
    | 'testing/message/context'
    | 'webview/context'
    | SubmenuContribution['id'];
  /** Omit in a submenu, whose own place has one. */
  readonly when?: string;
  readonly group: string;
}

/** A menu inside another one, for commands that name it as their place. */
export interface SubmenuContribution {
  readonly id: `identityQueries.menu.${string}`;
  readonly label: string;
  readonly menus: readonly MenuPlace[];
}

export interface KeyBinding {
  readonly key: string;
  readonly mac?: string;
  readonly when: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface ViewContribution {
  readonly id: `identityQueries.${string}`;
  readonly name: string;
  readonly container: string;
  /** Position within the container. */
  readonly order: number;
  readonly type?: 'webview';
  readonly when?: string;
  readonly visibility?: 'collapsed';
  readonly initialSize?: number;
  /** Content shown while the view is empty, in this order. */
  readonly welcome?: readonly WelcomeContribution[];
}

export interface WelcomeContribution {
  /** Key in package.nls.json, after `welcome.`; views may share one. */
  readonly key: string;
  readonly contents: string;
  readonly when?: string;
}

/**
 * A setting: its name without `identityQueries.` and its JSON schema. Untrusted workspaces cannot set `restricted`
 * ones.
 */
export interface SettingContribution extends SettingSchema {
  readonly name: string;
  readonly scope?: 'machine' | 'machine-overridable' | 'resource';
  readonly restricted?: boolean;
  readonly order?: number;
  readonly default: unknown;
}

export interface SettingSchema {
  readonly type: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly patternProperties?: Readonly<Record<string, object>>;
  readonly items?: SettingSchema;
}

export interface ContainerContribution {
  readonly id: string;
  readonly place: 'activitybar' | 'panel';
  readonly icon: string;
  readonly title: string;
  /** The title's key in package.nls.json. */
  readonly titleKey?: string;
}

export interface LanguageContribution {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly extensions: readonly string[];
  readonly configuration?: string;
  readonly icon?: { readonly light: string; readonly dark: string };
  readonly grammar: { readonly scopeName: string; readonly path: string };
  /** Different defaults for editor settings in this language. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

export interface ColourContribution {
  readonly id: `identityQueries.${string}`;
  /** Key in package.nls.json, after `color.`. */
  readonly key: string;
  readonly description: string;
  readonly dark: string;
  readonly light: string;
  readonly highContrast: string;
  readonly highContrastLight: string;
}

export interface WalkthroughContribution {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly steps: readonly {
    readonly id: string;
    readonly title: string;
    readonly description: string;
    /** Path without theme or extension; `-dark.png` and `-light.png` exist. */
    readonly picture: string;
    readonly pictureText: string;
    readonly completionEvents: readonly string[];
  }[];
}

/** Maps each command's name in code to its ID. */
export function idsOf<Named extends Readonly<Record<string, { readonly id: string }>>>(
  named: Named,
): { readonly [Name in keyof Named]: Named[Name]['id'] } {
  return Object.fromEntries(Object.entries(named).map(([name, { id }]) => [name, id])) as {
    readonly [Name in keyof Named]: Named[Name]['id']; // the same keys, each mapped to its ID
  };
}

/** Maps each setting's name in code to its full name. */
export function namesOf<Named extends Readonly<Record<string, { readonly name: string }>>>(
  named: Named,
): { readonly [Name in keyof Named]: Named[Name]['name'] } {
  return Object.fromEntries(Object.entries(named).map(([key, { name }]) => [key, name])) as {
    readonly [Name in keyof Named]: Named[Name]['name']; // the same keys, each mapped to its name
  };
}
