/** Types for the parts of libpg-query's Emscripten module that are used here. The package has no types. */
declare module 'libpg-query/wasm/libpg-query.js' {
  export interface PgQueryModule {
    /** The memory; replaced by a new array when it grows. */
    readonly HEAPU8: Uint8Array;
    readonly HEAPU32: Uint32Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    /** Takes a pointer to a C string, and returns a pointer to a PgQueryParseResult. */
    _wasm_parse_query_raw(query: number): number;
    _wasm_free_parse_result(result: number): void;
  }
  /** Calls `done` with an instance for the imports, and returns its exports. */
  type InstantiateWasm = (imports: object, done: (instance: { readonly exports: object }) => void) => object;
  const createModule: (options: { instantiateWasm: InstantiateWasm }) => Promise<PgQueryModule>;
  export default createModule;
}
