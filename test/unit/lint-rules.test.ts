/** Each rule of .oxlintrc.json finds its planted violation, in one run of the linter: a rule that is off is noticed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';

const root = path.join(import.meta.dirname, '../..');

/** By rule, a text that violates it. */
const planted: Readonly<Record<string, string>> = {
  eqeqeq: 'export const same = (a: number, b: number) => a == b;',
  'import/no-default-export': 'export default 1;',
  'no-array-constructor': 'export const list = new Array(1, 2);',
  'no-console': 'console.log(1);',
  'no-empty': 'export function run() { try { JSON.parse(""); } catch {} }',
  'no-restricted-globals': 'export const at = window;',
  'no-unused-expressions': 'export function run(a: number) { a + 1; }',
  'no-unused-vars': 'const unused = 1; export {};',
  'no-useless-constructor': 'export class A { constructor() {} a = 1; }',
  'no-var': 'export var a = 1;',
  'prefer-const': 'let a = 1; export const b = a;',
  'prefer-rest-params': 'export function run() { return arguments[0] as unknown; }',
  'prefer-spread':
    'declare const f: (...all: number[]) => void; const list = [1]; f.apply(undefined, list); export {};',
  'preserve-caught-error': 'try { JSON.parse(""); } catch (error) { throw new Error("a"); } export {};',
  'typescript/await-thenable': 'await 1; export {};',
  'typescript/ban-ts-comment': '// @ts-ignore\nexport const a = 1;',
  'typescript/consistent-type-imports':
    "import { readFile } from 'node:fs'; export let read: typeof readFile | undefined;",
  'typescript/no-array-delete': 'export function run(list: number[]) { delete list[0]; }',
  'typescript/no-base-to-string': 'export const text = String({ a: 1 });',
  'typescript/no-confusing-void-expression':
    'declare function f(): void; export function run() { return f(); }',
  'typescript/no-deprecated': '/** @deprecated Use b. */ declare const a: number; export const b = a;',
  'typescript/no-duplicate-enum-values': 'export enum A { One = 1, Two = 1 }',
  'typescript/no-duplicate-type-constituents': "export type A = 'a' | 'a';",
  'typescript/no-dynamic-delete':
    'export function run(a: Record<string, number>, key: string) { delete a[key]; }',
  'typescript/no-empty-object-type': 'export type A = {};',
  'typescript/no-explicit-any': 'export let a: any;',
  'typescript/no-extra-non-null-assertion': 'declare const a: string | undefined; export const b = a!!;',
  'typescript/no-extraneous-class': 'export class A { static a = 1; }',
  'typescript/no-floating-promises': 'void 0; Promise.resolve(1); export {};',
  'typescript/no-for-in-array': 'export function run(list: number[]) { for (const a in list) void a; }',
  'typescript/no-generated-empty-object-type': "export type A = Omit<{ a: 1 }, 'a'>;",
  'typescript/no-implied-eval': "setTimeout('run()', 1); export {};",
  'typescript/no-invalid-void-type': 'export let a: void | string;',
  'typescript/no-meaningless-void-operator': 'declare function f(): void; void f(); export {};',
  'typescript/no-misused-new': 'export interface A { constructor(): A; }',
  'typescript/no-misused-promises': 'export const a = Promise.resolve(1) ? 1 : 2;',
  'typescript/no-misused-spread': 'export const a = { ...Promise.resolve(1) };',
  'typescript/no-mixed-enums': "export enum A { One = 1, Two = 'a' }",
  'typescript/no-namespace': 'export namespace A { export const a = 1; }',
  'typescript/no-non-null-asserted-optional-chain':
    'declare const a: { b?: string } | undefined; export const b = a?.b!;',
  'typescript/no-non-null-assertion': 'declare const a: string | undefined; export const b = a!;',
  'typescript/no-redundant-type-constituents': 'export type A = unknown | string;',
  'typescript/no-require-imports': "const fs = require('node:fs'); export { fs };",
  'typescript/no-this-alias': 'export class A { a() { const self = this; return () => self; } }',
  'typescript/no-unnecessary-boolean-literal-compare':
    'declare const a: boolean; export const b = a === true;',
  'typescript/no-unnecessary-condition': 'declare const a: { b: 1 }; export const b = a ? 1 : 2;',
  'typescript/no-unnecessary-template-expression': "export const a = `${'a'}`;",
  'typescript/no-unnecessary-type-arguments':
    'declare function f<T = number>(a?: T): void; f<number>(); export {};',
  'typescript/no-unnecessary-type-assertion': 'declare const a: string; export const b = a as string;',
  'typescript/no-unnecessary-type-constraint': 'export type A<T extends unknown> = T[];',
  'typescript/no-unnecessary-type-conversion': 'export const a = (b: string) => String(b);',
  'typescript/no-unnecessary-type-parameters': 'export function f<T>(a: T): void { void a; }',
  'typescript/no-unsafe-argument':
    'declare const a: any; declare function f(b: string): void; f(a); export {};',
  'typescript/no-unsafe-assignment': 'declare const a: any; export const b = a;',
  'typescript/no-unsafe-call': 'declare const a: any; a(); export {};',
  'typescript/no-unsafe-declaration-merging': 'export interface A { a: 1 } export class A { b = 1; }',
  'typescript/no-unsafe-enum-assignment': 'enum A { One = 1 } export const a: A = 1;',
  'typescript/no-unsafe-enum-comparison': 'enum A { One = 1 } export const f = (a: A) => a === 1;',
  'typescript/no-unsafe-function-type': 'export let a: Function;',
  'typescript/no-unsafe-member-access': 'declare const a: any; export const b = a.c as string;',
  'typescript/no-unsafe-return': 'declare const a: any; export const f = () => a;',
  'typescript/no-unsafe-unary-minus': 'declare const a: string; export const b = -a;',
  'typescript/no-useless-default-assignment': 'export const f = ({ a = 1 }: { a: number }) => a;',
  'typescript/no-wrapper-object-types': 'export let a: String;',
  'typescript/only-throw-error': "throw 'a'; export {};",
  'typescript/prefer-as-const': "export let a: 'a' = 'a';",
  'typescript/prefer-literal-enum-member': 'const one = 1; export enum A { One = one }',
  'typescript/prefer-namespace-keyword': 'declare module A { const a: number; } export {};',
  'typescript/prefer-promise-reject-errors': "export const a = Promise.reject('a');",
  'typescript/prefer-readonly': 'export class A { private a = 1; b() { return this.a; } }',
  'typescript/prefer-reduce-type-parameter':
    'export const a = [1].reduce((all, one) => [...all, one], [] as number[]);',
  'typescript/prefer-return-this-type': 'export class A { a(): A { return this; } }',
  'typescript/related-getter-setter-pairs':
    'export class A { get a(): string { return "a"; } set a(value: number) { void value; } }',
  'typescript/require-await': 'export async function run() { return 1; }',
  'typescript/restrict-plus-operands': "export const f = (a: number) => a + 'a';",
  'typescript/restrict-template-expressions': 'export const f = (a: object) => `${a}`;',
  'typescript/return-await':
    'export async function run(f: () => Promise<number>) { try { return f(); } catch { return 1; } }',
  'typescript/switch-exhaustiveness-check':
    "export function run(a: 'a' | 'b') { switch (a) { case 'a': return 1; } return 2; }",
  'typescript/triple-slash-reference': '/// <reference path="./a.ts" />\nexport {};',
  'typescript/unbound-method': 'class A { a() { return this; } } export const a = new A().a;',
  'typescript/unified-signatures': 'export interface A { a(b: string): void; a(b: number): void; }',
  'typescript/use-unknown-in-catch-callback-variable':
    'declare const a: Promise<number>; a.catch((error: Error) => error); export {};',
  // What the compiler says comes with the same run.
  'typescript/TS2322': "export const a: number = 'a';",
};

/** The names of the rules that the configuration turns on. */
const kept: readonly string[] = (() => {
  const config = JSON.parse(readFileSync(path.join(root, '.oxlintrc.json'), 'utf8')) as {
    readonly rules: Readonly<Record<string, unknown>>;
    readonly overrides: readonly { readonly rules: Readonly<Record<string, unknown>> }[];
  };
  const all = [config.rules, ...config.overrides.map(({ rules }) => rules)];
  const on = all.flatMap((rules) => Object.entries(rules).filter(([, value]) => value !== 'off'));
  return [...new Set(on.map(([name]) => name))];
})();

describe('the linter', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'identity-queries-lint-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const found = (() => {
    copyFileSync(path.join(root, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
    copyFileSync(path.join(root, 'tsconfig.base.json'), path.join(folder, 'tsconfig.base.json'));
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    mkdirSync(path.join(folder, 'core/src'), { recursive: true });
    copyFileSync(path.join(root, 'core/tsconfig.json'), path.join(folder, 'core/tsconfig.json'));
    for (const [rule, text] of Object.entries(planted))
      writeFileSync(path.join(folder, 'core/src', `${rule.replace('/', '.')}.ts`), `${text}\n`);
    const { stdout } = spawnSync(
      process.execPath,
      [path.join(root, 'node_modules/oxlint/bin/oxlint'), '-f', 'json', 'core'],
      { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    const { diagnostics } = JSON.parse(stdout) as {
      readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
    };
    return new Set(
      diagnostics.map(({ code, filename }) => {
        const [, scope = '', name = ''] = /^(\w+)\((.+)\)$/.exec(code) ?? [];
        return `${path.basename(filename, '.ts').replace('.', '/')}: ${scope === 'eslint' ? '' : `${scope}/`}${name}`;
      }),
    );
  })();

  it('has a planted violation for every rule of the configuration', () => {
    assert.deepEqual(
      kept.filter((rule) => planted[rule] === undefined),
      [],
    );
  });

  for (const rule of Object.keys(planted))
    it(`finds a violation of ${rule}`, () =>
      assert.ok(
        found.has(`${rule}: ${rule}`),
        [...found].filter((each) => each.startsWith(`${rule}:`)).join(', '),
      ));
});
