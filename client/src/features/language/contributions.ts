/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import { dialects } from '#base/dialects.ts';
import { defaultSeverities } from '#base/finding-severities.ts';
import type { Contributions, SettingSchema } from '#client/contribution-types.ts';

export const commands = {
  languageRestart: { id: 'identityQueries.language.restart', title: 'Restart Language Server' },
  /** Explains the given code, or by default that of the finding at the cursor. */
  languageExplainFinding: {
    id: 'identityQueries.language.explainFinding',
    title: 'Explain Finding',
    palette: 'editorLangId == identity-sql',
  },
  languageReportFalsePositive: { id: '_identityQueries.language.reportFalsePositive' },
} as const satisfies Contributions['commands'];

export const settings = {
  severities: {
    name: 'severities',
    restricted: true,
    type: 'object',
    default: {},
    additionalProperties: false,
    properties: severityProperties(defaultSeverities),
    markdownDescription:
      'Severity of findings by code, or `off`. `docs/diagnostics.md` explains every code. To silence a single finding, add the comment `-- identity-queries-ignore CODE: reason`.',
  },
  formatKeywordCase: {
    name: 'format.keywordCase',
    type: 'string',
    enum: ['preserve', 'upper', 'lower'],
    enumDescriptions: ['As written.', 'SELECT, FROM, WHERE.', 'select, from, where.'],
    default: 'preserve',
    description: 'Case of keywords in formatted queries. Applies only to PostgreSQL.',
  },
  formatWidth: {
    name: 'format.width',
    type: 'integer',
    default: 50,
    minimum: 20,
    maximum: 400,
    description:
      'Maximum width, in characters, of a parenthesized expression that formatting keeps on one line.',
  },
  dialect: {
    name: 'dialect',
    restricted: true,
    type: 'string',
    enum: ['postgresql', ...dialects],
    default: 'postgresql',
    description:
      "The SQL dialect for checking queries. PostgreSQL queries are checked with PostgreSQL's own grammar. The grammars of the other dialects are incomplete, so only definite problems are reported, as warnings.",
  },
} as const satisfies Contributions['settings'];

export const languages = [
  {
    id: 'identity-sql',
    aliases: ['Identity SQL'],
    extensions: ['.identity.sql'],
    configuration: './syntaxes/language-configuration.json',
    icon: { light: './media/file-light.svg', dark: './media/file-dark.svg' },
    grammar: { scopeName: 'source.identity-sql', path: './syntaxes/identity-sql.tmLanguage.json' },
    defaults: {
      // Each save of a saved query is a version that all colleagues see.
      'files.autoSave': 'off',
      // Lines often end with a complete word, after which Enter must not accept the same word.
      'editor.acceptSuggestionOnEnter': 'smart',
      'editor.wordBasedSuggestions': 'off',
      'files.encoding': 'utf8',
      // Shown while Ctrl+Alt is held: the types and counts would push the text about.
      'editor.inlayHints.enabled': 'offUnlessPressed',
      // F5 starts debugging outside of the query's text. It must not save edits to the service.
      'debug.saveBeforeStart': 'none',
    },
  },
] as const satisfies Contributions['languages'];

/** Returns one property per code, with its default severity. */
function severityProperties(
  defaults: Readonly<Record<string, string>>,
): Readonly<Record<string, SettingSchema>> {
  return Object.fromEntries(
    Object.entries(defaults).map(([code, severity]) => [
      code,
      { type: 'string', enum: ['error', 'warning', 'information', 'hint', 'off'], default: severity },
    ]),
  );
}
