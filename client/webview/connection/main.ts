/** The connection form's page: connects to the host and draws its state. */
import type { ConnectionFormRequest, ConnectionFormState } from '#panel-protocol/connection-form.ts';
import { element } from '../results/ui/dom.ts';
import { ConnectionPage } from './connection-page.ts';

declare function acquireVsCodeApi(): { postMessage(message: ConnectionFormRequest): void };

const api = acquireVsCodeApi();
let page: ConnectionPage | undefined;
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isState(data)) return;
  if (page === undefined) {
    page = new ConnectionPage(data, (request) => api.postMessage(request));
    document.body.append(element('main', {}, page.element));
    page.focus();
  }
  page.update(data);
});
api.postMessage({ kind: 'ready' });

/** Only the host posts here; the check excludes messages from browser tools. */
function isState(data: unknown): data is ConnectionFormState {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'connectionForm';
}
