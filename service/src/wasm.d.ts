/** The part of WebAssembly used by the sandbox. Node provides it, but the ES2024 library types do not declare it. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
