/** Details of a failed request for support and tickets, without secrets, SQL or parameter values. */
import { ApiError, ContractError } from '#api/client/errors.ts';
import { escapeHidden } from '#base/shown-text/hidden-characters.ts';
import { t } from '#base/texts.ts';

/** Plain data, because it is passed to webviews and through commands. */
export interface FailureDetails {
  readonly message: string;
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Method and path. */
  readonly request?: string | undefined;
  /** Scheme and host. */
  readonly origin?: string | undefined;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  /** Free-form data from the service. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** @returns undefined if the error does not come from a request. */
export function failureDetailsOf(error: unknown): FailureDetails | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof ApiError) return detailsOfApi(each);
    if (each instanceof ContractError) {
      const { message, status, requestId, request } = each;
      return { message, code: 'UNEXPECTED_ANSWER', status, requestId, request, reasons: [] };
    }
  }
  return undefined;
}

function detailsOfApi({ message, said, code, status, requestId, asked }: ApiError): FailureDetails {
  return {
    message: said?.message ?? message,
    code,
    status,
    requestId,
    request: asked?.request,
    origin: asked?.origin,
    reasons: said?.reasons ?? [],
    details: said?.details,
  };
}

/** Formats the details as text to read and copy. @param at the time at which they are shown. */
export function failureDetailsText(details: FailureDetails, at: Date): string {
  const { message, code, status, requestId, request, origin, reasons } = details;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('Message'), message],
    [t('Code'), code],
    [t('Status'), status === undefined ? undefined : String(status)],
    [t('Request'), request],
    [t('Service'), origin],
    [t('Request ID'), requestId],
    [t('Shown at'), at.toISOString()],
  ];
  const known = facts.filter((fact): fact is readonly [string, string] => fact[1] !== undefined);
  const width = known.reduce((widest, [name]) => Math.max(widest, name.length), 0) + 2;
  const lines = [
    ...known.map(([name, text]) => `${`${name}:`.padEnd(width)}${oneLine(text)}`),
    ...(reasons.length === 0 ? [] : ['', t('Reasons:')]),
    ...reasons.map((reason) => `- ${oneLine(reason.code)}: ${oneLine(reason.message)}`),
    ...(details.details === undefined
      ? []
      : ['', t('Details:'), ...JSON.stringify(details.details, undefined, 2).split('\n').map(escapeHidden)]),
  ];
  return `${lines.join('\n')}\n`;
}

function oneLine(text: string): string {
  return escapeHidden(text.replaceAll(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' '));
}
