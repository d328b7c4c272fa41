/** The line to the extension host, and what the panel remembers while it is hidden. */
import type { HostMessage, PanelMessage } from '../../../../panel-protocol/messages.ts';
import type { LayoutMemory } from '../grid/column-layout.ts';
import type { Selection } from '../grid/selection.ts';

/** What is remembered of how a person looked at a result. */
export interface ResultMemory {
  readonly run: number;
  /** Names and order of the columns: a layout applies only to the same. */
  readonly columns: string;
  readonly layout: LayoutMemory | undefined;
  readonly top: number;
  readonly left: number;
  readonly selection: Selection | undefined;
  /** What was open beside the rows. */
  readonly side: 'cell' | 'record' | 'chart' | undefined;
}

export type Memory = Readonly<Record<string, ResultMemory>>;

interface VsCodeApi {
  postMessage(message: PanelMessage): void;
  getState(): Memory | undefined;
  setState(state: Memory): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export interface Host {
  send(message: PanelMessage): void;
  remembered(id: string): ResultMemory | undefined;
  remember(id: string, memory: ResultMemory): void;
}

/** Results whose look is remembered. */
const rememberedMax = 20;

export function connectHost(receive: (message: HostMessage) => void): Host {
  const api = acquireVsCodeApi();
  let memory: Memory = api.getState() ?? {};
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (isHostMessage(event.data)) receive(event.data);
  });
  return {
    send: (message) => api.postMessage(message),
    remembered: (id) => memory[id],
    remember: (id, entry) => {
      const { [id]: _before, ...others } = memory;
      memory = Object.fromEntries([...Object.entries(others).slice(1 - rememberedMax), [id, entry]]);
      api.setState(memory);
    },
  };
}

const kinds: ReadonlySet<string> = new Set<HostMessage['kind']>([
  'show',
  'window',
  'cell',
  'records',
  'values',
  'found',
  'aggregate',
  'chart',
  'identified',
  'show-tool',
  'notice',
  'copySelection',
  'focus',
]);

/** Only the host posts here; the check keeps out what a browser's own tools post to a window. */
function isHostMessage(data: unknown): data is HostMessage {
  return typeof data === 'object' && data !== null && 'kind' in data && kinds.has(String(data.kind));
}
