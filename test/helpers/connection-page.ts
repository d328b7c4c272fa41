/** The connection page in a real browser, backed by the real form. The caller supplies testing and saving. */
import { parseFormRequest } from '#client/features/connection/form/form-request.ts';
import { ConnectionForm, type FormWork } from '#client/features/connection/form/form-state.ts';
import { createWebviewPage, type PageOptions, type WebviewPage } from './webview-page.ts';

export interface ConnectionFormPage extends WebviewPage {
  readonly form: ConnectionForm;
}

export async function openConnectionPage(
  work: Omit<FormWork, 'show'>,
  options: PageOptions,
): Promise<ConnectionFormPage> {
  const receive = async (raw: unknown): Promise<void> => {
    const request = parseFormRequest(raw);
    if (request === undefined) shown.problems.push(`message of no known shape: ${JSON.stringify(raw)}`);
    else await form.receive(request);
  };
  const shown = await createWebviewPage('connection', receive, { ...options, title: work.title });
  const form = new ConnectionForm({ ...work, show: (state) => shown.post(state) });
  await shown.open();
  await shown.page.locator('form').waitFor();
  return { ...shown, form };
}
