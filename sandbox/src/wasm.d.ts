/** The part of WebAssembly that the sandbox uses; Node has it, but the ES2024 library types do not. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
