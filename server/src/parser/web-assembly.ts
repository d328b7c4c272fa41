/** The parts of WebAssembly that the parser uses. Their types are otherwise part of the DOM's, which servers lack. */

/** A compiled module, which can be posted to another thread. */
export interface CompiledModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

export interface ModuleInstance {
  readonly exports: object;
}

export const { WebAssembly: webAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    compile(bytes: Uint8Array): Promise<CompiledModule>;
    readonly Instance: new (module: CompiledModule, imports: object) => ModuleInstance;
  };
};
