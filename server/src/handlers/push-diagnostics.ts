/**
 * Pushes diagnostics without a debounce. A document is checked as soon as it changes, one check at a time. A change
 * during a check restarts the check with the newest text.
 */
import type { Connection, Disposable } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { stackOf } from '#base/shown-text/stack-of.ts';
import type { Guard } from '../guard.ts';
import type { Analyser } from '../language/checks/analyser.ts';
import { withCarriedOver, type Shown } from '../language/checks/carry-over.ts';
import { shownFindings } from '../language/checks/shown-findings.ts';
import { LineIndex } from '../language/text/lines.ts';
import { optionsFor, type ServerState } from '../state.ts';
import { toDiagnostic } from './convert.ts';

export interface DiagnosticsDeps {
  readonly connection: Connection;
  readonly guard: Guard;
  readonly analyser: Analyser;
  readonly state: ServerState;
  /** Returns the current document, or undefined if it is closed. */
  readonly documentAt: (uri: string) => TextDocument | undefined;
  /** Resolves once the document's models are read; undefined if they are. */
  readonly ready: (uri: string) => Promise<unknown> | undefined;
}

export interface DiagnosticsPublisher extends Disposable {
  /** Checks a document after its text or context changed. */
  check(uri: string): void;
  closed(uri: string): void;
}

/** Maximum delay before the second pass. Below this limit, the delay equals the duration of the first pass. */
const pauseMaxMs = 100;

export function createDiagnosticsPublisher(deps: DiagnosticsDeps): DiagnosticsPublisher {
  const { connection } = deps;
  const running = new Set<string>();
  /** Documents to check again when the running check ends. */
  const again = new Set<string>();
  /** Callbacks that end the delay before a document's second pass. */
  const wakes = new Map<string, () => void>();
  const shown = new Map<string, Shown>();
  let isDisposed = false;

  const pause = async (uri: string, ms: number): Promise<void> => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakes.set(uri, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    wakes.delete(uri);
  };

  const run = async (uri: string): Promise<void> => {
    running.add(uri);
    try {
      let document = deps.documentAt(uri);
      while (document !== undefined && !isDisposed) {
        again.delete(uri);
        const isDone = await checkOnce(deps, document, shown, (ms) => pause(uri, ms));
        if (isDone && !again.has(uri)) break;
        document = deps.documentAt(uri);
      }
    } finally {
      running.delete(uri);
    }
  };

  return {
    check(uri) {
      if (running.has(uri)) {
        again.add(uri);
        wakes.get(uri)?.();
      } else {
        run(uri).catch((error: unknown) => {
          connection.console.error(`a check failed: ${stackOf(error)}`);
        });
      }
    },
    closed(uri) {
      shown.delete(uri);
      void connection.sendDiagnostics({ uri, diagnostics: [] });
    },
    dispose() {
      isDisposed = true;
      wakes.forEach((wake) => wake());
    },
  };
}

/** Returns false if the document changed in the meantime, so the check must restart. */
async function checkOnce(
  deps: DiagnosticsDeps,
  document: TextDocument,
  lastShown: Map<string, Shown>,
  pause: (ms: number) => Promise<void>,
): Promise<boolean> {
  const { uri, version } = document;
  const isOutdated = (): boolean => deps.documentAt(uri)?.version !== version;
  const text = document.getText();
  const lines = new LineIndex(text);
  const options = optionsFor(deps.state, uri);
  // Inspecting a large statement takes as long as all other checks combined, so their results go first.
  const started = performance.now();
  for (const isFirstLook of [true, false]) {
    const analysis = await deps.analyser.analyse(text, { ...options, isFirstLook }, isOutdated);
    if (analysis === undefined || isOutdated()) return false;
    const before = lastShown.get(uri);
    const isOpen = analysis.isPartial === true && before !== undefined;
    const findings = isOpen ? withCarriedOver(analysis, before) : analysis.findings;
    lastShown.set(uri, { text, findings });
    const diagnostics = shownFindings(findings).map((finding) =>
      toDiagnostic(lines, finding, deps.state.explain),
    );
    await deps.connection.sendDiagnostics({ uri, version, diagnostics });
    if (analysis.isPartial !== true) break;
    // The parser takes one input at a time, so typing must not wait for the second pass.
    await pause(Math.min(pauseMaxMs, performance.now() - started));
    if (isOutdated()) return false;
  }
  return !isOutdated();
}
