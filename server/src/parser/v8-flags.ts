/**
 * V8's flags for the language server, set before its code is loaded: compiled code is only reused under the same flags.
 */
import v8 from 'node:v8';

export function setV8Flags(): void {
  // Disables the optimizing tier for WebAssembly: recompiling the parser's large functions costs more than it saves
  // while typing. Measured 2026-11-21 over 60 edits of 10 KB: a median of 2.7 ms instead of 8.2, and 134 MB instead of
  // 384. Both flags are needed, since flags set at run time do not imply others.
  v8.setFlagsFromString('--no-wasm-tier-up');
  v8.setFlagsFromString('--no-wasm-dynamic-tiering');
  // The parser's code comes with the extension, so each function is validated when it is first compiled.
  v8.setFlagsFromString('--wasm-lazy-validation');
  // A thread that compiles may wait for memory that only this thread can free, and this one for that thread as the
  // process ends: the server then never ends (nodejs/node#54918, seen in two of some 20 runs of its tests).
  v8.setFlagsFromString('--no-concurrent-sparkplug');
  // Keeps the young generation of each thread at its first size. It otherwise grows to 32 MB for each thread, and to as
  // much outside the heap (tokens are typed arrays), because typing in a large text allocates quickly. For that reason,
  // the tokens of a text are also dropped as soon as those of its next version exist.
  // Set at run time, since other editors start the server without flags. `--optimize-for-size` and
  // `--heap-growing-percent` took less memory, but more processor time. Measured 2026-11-26 after 120 edits: 116 to 145 MB instead of 163 to 309.
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}
