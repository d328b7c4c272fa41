/** The connection to the extension host, which keeps the look of each result while its page is hidden or moves. */
import type { HostMessage, PanelCommand, PanelMessage } from '#panel-protocol/messages.ts';
import type { PanelBody, Subject } from '#panel-protocol/panel-questions.ts';
import { Asking, ViewQuestions } from '#panel-protocol/view-questions.ts';
import type { KeptChart } from '../chart/kept-chart.ts';
import type { LayoutMemory } from '../grid/column-layout.ts';
import type { Selection } from '../grid/selection.ts';

/** The stored view state of a result. */
export interface ResultMemory {
  readonly run: number;
  /** Names and types of the columns, in order: a layout applies only to the same columns. */
  readonly columns: string;
  readonly layout: LayoutMemory | undefined;
  readonly top: number;
  readonly left: number;
  readonly selection: Selection | undefined;
  /** The open inspector next to the rows. */
  readonly side: 'cell' | 'record' | 'chart' | undefined;
  readonly chart: KeptChart | undefined;
}

interface VsCodeApi {
  postMessage(message: PanelMessage): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export interface Host {
  send(command: PanelCommand): void;
  /** Returns the questions about a result; call their `renew` when different rows become visible. */
  questionsAbout(of: Subject): ViewQuestions;
  remembered(id: string): ResultMemory | undefined;
  remember(id: string, memory: ResultMemory): void;
}

/** Unsolicited messages from the host. */
export type HostEvent = Exclude<HostMessage, { readonly id: number }>;

export function connectHost(receive: (message: HostEvent) => void): Host {
  const api = acquireVsCodeApi();
  const line = new Asking<PanelBody>({
    post: (message) => api.postMessage(message),
    errorOf: ({ message }) => new Error(message),
  });
  const memory = new Map<string, ResultMemory>();
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = event.data;
    if (!isHostMessage(message)) return;
    if ('id' in message) {
      line.receive(message);
      return;
    }
    if (message.kind === 'show' && message.view?.look !== undefined)
      memory.set(message.view.id, JSON.parse(message.view.look) as ResultMemory); // a page of ours wrote it
    receive(message);
  });
  return {
    send: (command) => api.postMessage(command),
    questionsAbout: (of) => new ViewQuestions(line, of),
    remembered: (id) => memory.get(id),
    remember: (id, entry) => {
      memory.set(id, entry);
      api.postMessage({ kind: 'look', result: id, look: JSON.stringify(entry) });
    },
  };
}

const kinds: ReadonlySet<string> = new Set<HostMessage['kind']>([
  'show',
  'first-rows',
  'answer',
  'failed',
  'progress',
  'show-tool',
  'notice',
  'copySelection',
  'focus',
]);

/** Only the host posts here; the check excludes messages from browser tools. */
function isHostMessage(data: unknown): data is HostMessage {
  return typeof data === 'object' && data !== null && 'kind' in data && kinds.has(String(data.kind));
}
