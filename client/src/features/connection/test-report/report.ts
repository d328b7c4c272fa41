/** The findings of a connection test in words: one row per step, identical on the page and in the copied text. */
import * as vscode from 'vscode';
import type { Step, StepFacts, StepName, StepOutcome } from '#api/client/network/connection-test.ts';
import { resolveDeployment } from '#api/contract/deployment.ts';
import { homeFolder } from '#base/files/own-folders.ts';
import { isSingular } from '#base/translate.ts';
import { plainMarkdown } from '#base/words/markdown.ts';
import { commands } from '#client/contributions.ts';
import { connectionFailureOf } from '#client/session/connection-failure.ts';
import { placeOf } from '#client/ui/connection-labels.ts';
import { locale } from '#client/ui/locale.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import type { FailureAction } from '#core/failures/failure.ts';
import type { AssumptionsReport } from './assumptions.ts';

export interface ReportRow {
  readonly status: StepOutcome['kind'];
  /** Display text of the status. */
  readonly word: string;
  readonly title: string;
  readonly target: string;
  /** The finding, or the failure and its remedy. */
  readonly text: string;
  /** Duration; undefined if the step was not attempted. */
  readonly ms: number | undefined;
  readonly actions: readonly FailureAction[];
}

export interface Report {
  readonly name: string;
  readonly summary: string;
  readonly hasFailed: boolean;
  /** Display text for the source of the secret. */
  readonly secretOrigin: string;
  /** Facts about the connection by name: addresses and network path, but nothing secret. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly rows: readonly ReportRow[];
  /** Undefined if the service could not be queried. */
  readonly assumptions?: AssumptionsReport | undefined;
}

export function reportOf(options: {
  readonly profile: ConnectionProfile;
  readonly steps: readonly Step[];
  readonly way: string;
  /** Display text for the source of the secret. */
  readonly secretOrigin: string;
  readonly version: string;
  readonly assumptions: AssumptionsReport | undefined;
}): Report {
  const { profile, steps } = options;
  const rows = saidOnce(steps.map(rowOf));
  const failed = rows.find(({ status }) => status === 'failed');
  const hasWarning = rows.some(({ status }) => status === 'warning');
  const { baseUrl, authUrl } = resolveDeployment(profile);
  return {
    name: profile.name,
    hasFailed: failed !== undefined,
    secretOrigin: options.secretOrigin,
    summary:
      failed !== undefined
        ? vscode.l10n.t('Failed: {0} ({1})', failed.title, failed.target)
        : hasWarning
          ? vscode.l10n.t('Works, with restrictions')
          : vscode.l10n.t('Everything works'),
    facts: [
      [vscode.l10n.t('Service'), baseUrl],
      [vscode.l10n.t('Token address'), authUrl],
      ...(placeOf(profile) === '' ? [] : [[vscode.l10n.t('Environment'), placeOf(profile)] as const]),
      [vscode.l10n.t('Client ID'), masked(profile.clientId)],
      [vscode.l10n.t('Client secret'), options.secretOrigin],
      [vscode.l10n.t('Reached'), options.way],
      [
        vscode.l10n.t('Tested'),
        vscode.l10n.t(
          '{0}, Identity Queries {1}, VS Code {2}',
          new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
          options.version,
          vscode.version,
        ),
      ],
    ],
    rows,
    assumptions: options.assumptions,
  };
}

/** Formats the report for tickets and emails. */
export function markdownOf(report: Report): string {
  const lines = [
    `# ${vscode.l10n.t('Connection test: {0}', plainMarkdown(report.name))}`,
    '',
    plainMarkdown(report.summary),
    '',
    ...report.facts.map(([name, value]) => `- ${name}: ${plainMarkdown(value)}`),
    '',
    `| ${[vscode.l10n.t('step'), vscode.l10n.t('of'), vscode.l10n.t('outcome'), vscode.l10n.t('found'), 'ms'].join(' | ')} |`,
    '| --- | --- | --- | --- | --- |',
    ...report.rows.map(
      (row) =>
        `| ${[row.title, row.target, row.word, row.text, row.ms === undefined ? '' : String(row.ms)].map(plainMarkdown).join(' | ')} |`,
    ),
    '',
    ...(report.assumptions === undefined ? [] : assumptionLines(report.assumptions)),
  ];
  return lines.join('\n').replaceAll(homeFolder(), '~');
}

function assumptionLines({ summary, rows }: AssumptionsReport): readonly string[] {
  return [
    `## ${vscode.l10n.t('Assumptions')}`,
    '',
    plainMarkdown(summary),
    '',
    ...rows.map((row) => {
      const text = row.text === '' ? '' : ` ${plainMarkdown(row.text)}`;
      return `- ${row.word}: ${plainMarkdown(row.title)} (\`${row.id}\`).${text}`;
    }),
    '',
  ];
}

function statusWord(status: ReportRow['status']): string {
  return {
    ok: vscode.l10n.t('works'),
    warning: vscode.l10n.t('works in part'),
    failed: vscode.l10n.t('failed'),
    skipped: vscode.l10n.t('not tried'),
  }[status];
}

/** Says only at the first of several skipped steps why they were not tried. */
function saidOnce(rows: readonly ReportRow[]): readonly ReportRow[] {
  return rows.map((row, index) => {
    const before = rows[index - 1];
    const isSaid = row.status === 'skipped' && before?.status === 'skipped' && before.text === row.text;
    return isSaid ? { ...row, text: '' } : row;
  });
}

function rowOf(step: Step): ReportRow {
  const { outcome } = step;
  const row = {
    status: outcome.kind,
    word: statusWord(outcome.kind),
    title: titleOf(step.name),
    target: step.target,
  };
  switch (outcome.kind) {
    case 'ok':
    case 'warning':
      return { ...row, text: factsText(outcome.facts), ms: step.ms, actions: [] };
    case 'failed': {
      const { reason, actions } = connectionFailureOf(outcome.error);
      const facts = outcome.facts === undefined ? '' : ` ${factsText(outcome.facts)}`;
      // Omit the action that runs this test.
      const others = actions.filter(({ command }) => command !== commands.connectionTest);
      return { ...row, text: `${reason}${facts}`, ms: step.ms, actions: others };
    }
    case 'skipped':
      return { ...row, text: skippedText(outcome.why), ms: undefined, actions: [] };
    default:
      return outcome satisfies never;
  }
}

/** Returns the display text of a step. */
export function titleOf(name: StepName): string {
  return {
    name: vscode.l10n.t('Name resolution'),
    tcp: vscode.l10n.t('TCP connection'),
    proxy: vscode.l10n.t('Connection through the proxy'),
    tls: vscode.l10n.t('TLS'),
    token: vscode.l10n.t('Token'),
    scopes: vscode.l10n.t('Scopes'),
    models: vscode.l10n.t('Models'),
    'saved-queries': vscode.l10n.t('Saved queries'),
    execute: vscode.l10n.t('Run a query'),
  }[name];
}

function factsText(facts: StepFacts): string {
  switch (facts.kind) {
    case 'addresses':
      return facts.addresses.join(', ');
    case 'connected':
      return vscode.l10n.t('Connected.');
    case 'proxy-status':
      return vscode.l10n.t('The proxy accepted the connection ({0}).', facts.status);
    case 'tls':
      return vscode.l10n.t(
        '{0}. Certificate of {1}, issued by {2}, valid until {3}.',
        facts.tls.protocol,
        facts.tls.subject === '' ? '?' : facts.tls.subject,
        facts.tls.issuer === '' ? '?' : facts.tls.issuer,
        facts.tls.validTo,
      );
    case 'token':
      return facts.lifetimeSeconds === undefined
        ? vscode.l10n.t('Granted; the service does not say for how long, so five minutes are assumed.')
        : vscode.l10n.t('Granted for {0} s.', facts.lifetimeSeconds);
    case 'scopes':
      if (facts.granted.length === 0)
        return vscode.l10n.t(
          'Neither read nor write was granted, so nothing will work. Ask the operator for the read scope.',
        );
      if (facts.withoutWrite === 'not-asked' && facts.granted.includes('read'))
        return vscode.l10n.t('read-only; the connection requests nothing more ("scopes" in its settings)');
      if (facts.withoutWrite === 'refused' && facts.granted.includes('read'))
        return vscode.l10n.t(
          'Read-only: the token endpoint refused the write scope. You can run queries but not save them. Ask the operator for the write scope.',
        );
      if (!facts.granted.includes('write'))
        return vscode.l10n.t(
          'Only read was granted: you can run queries but not save them. Ask the operator for the write scope.',
        );
      if (!facts.granted.includes('read'))
        return vscode.l10n.t(
          'Only write was granted: nothing can be read. Ask the operator for the read scope.',
        );
      return facts.isAssumed
        ? vscode.l10n.t('The service does not say which. Read and write are assumed.')
        : vscode.l10n.t('read and write');
    case 'models':
      return facts.names.length === 0
        ? vscode.l10n.t("None: this client can't see any model. Ask the operator for access.")
        : facts.names.join(', ');
    case 'count':
      return facts.hasMore
        ? vscode.l10n.t('{0} and more', facts.count)
        : vscode.l10n.t(
            isSingular(facts.count, locale()) ? '{0} saved query' : '{0} saved queries',
            facts.count,
          );
    case 'no-list':
      return vscode.l10n.t(
        'This service does not list saved queries. The view shows those that you opened, created or marked.',
      );
    case 'rows':
      return vscode.l10n.t('SELECT 1 returned a result.');
    default:
      return facts satisfies never;
  }
}

function skippedText(why: Extract<StepOutcome, { kind: 'skipped' }>['why']): string {
  return {
    'needs-earlier': vscode.l10n.t('An earlier step failed.'),
    'plain-http': vscode.l10n.t('The address is http: nothing is encrypted.'),
    'editor-fetch': vscode.l10n.t(
      "The editor's own fetch makes the connections (identityQueries.network.useEditorFetch).",
    ),
  }[why];
}

/** Masks the value, leaving just enough to identify it. */
function masked(text: string): string {
  return text.length <= 6 ? '•'.repeat(text.length) : `${text.slice(0, 3)}…${text.slice(-2)}`;
}
