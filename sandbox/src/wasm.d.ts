/** The little of WebAssembly the sandbox touches; Node has it, the ES2024 library types do not. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
