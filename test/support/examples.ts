import { dirname, join, relative } from 'node:path';

import ts from 'typescript';

const root = join(__dirname, '../..');

/** What a published name stands for in this repository. */
const PUBLISHED: Readonly<Record<string, string>> = {
  'keystead/clients': 'src/clients/index.ts',
  'keystead/provider': 'src/provider/index.ts',
  'keystead/testing': 'src/testing/index.ts',
};

/** Something that a module exports, with the code of its `@example`s. */
export type DocumentedExport = {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Something to call, to make or to read, or only a type. */
  readonly kind: 'value' | 'type';
  readonly examples: readonly string[];
};

const FENCE = /```ts\n([\s\S]*?)```/gu;

/** The code of a docstring's examples. One without a fence is code as a whole, as in `src/provider`. */
function examplesOf(declaration: ts.Node): string[] {
  return ts
    .getJSDocTags(declaration)
    .filter(({ tagName }) => tagName.text === 'example')
    .map((tag) => ts.getTextOfJSDocComment(tag.comment) ?? '')
    .flatMap((text) => (text.includes('```') ? [...text.matchAll(FENCE)].map(([, code]) => code!) : [text]));
}

const VALUE = ts.SymbolFlags.Function | ts.SymbolFlags.Class | ts.SymbolFlags.Variable;
const TYPE = ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface | ts.SymbolFlags.Class;

/** Whether a module exports only the type of something: `export { type JsonRpcClient }`. */
const isTypeOnly = ({ declarations: [exported] = [] }: ts.Symbol): boolean =>
  exported !== undefined &&
  ts.isExportSpecifier(exported) &&
  (exported.isTypeOnly || exported.parent.parent.isTypeOnly);

/** @returns The functions, classes, constants and types that modules export, in order. @param files - From the root. */
export function exportsOf(files: readonly string[]): DocumentedExport[] {
  const paths = files.map((file) => join(root, file));
  const program = ts.createProgram(paths, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const found = paths.flatMap((path) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(path)!);
    return (module === undefined ? [] : checker.getExportsOfModule(module)).flatMap((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const kind = !isTypeOnly(symbol) && (target.flags & VALUE) !== 0 ? 'value' : 'type';
      const declaration = kind === 'value' ? target.valueDeclaration : target.declarations?.[0];
      if (declaration === undefined || (target.flags & (kind === 'value' ? VALUE : TYPE)) === 0) return [];
      // What a package exports is documented there.
      if (declaration.getSourceFile().fileName.includes('node_modules')) return [];
      const file = relative(root, declaration.getSourceFile().fileName);
      return [{ name: symbol.name, file, kind, examples: examplesOf(declaration) } as const];
    });
  });
  // What an index only passes on has its example where it is made.
  return found.filter(
    ({ file, name }, at) => found.findIndex((other) => other.file === file && other.name === name) === at,
  );
}

const IMPORT = /^import \{ ([^}]*) \} from '([^']+)';$/gmu;
const EXPECTED = /^(.*?);? \/\/ => (.*)$/gmu;
const THROWN = /^(.*?);? \/\/ throws (.*)$/gmu;

/** Bytes as a list, so that an example may write them as one. */
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value);

/**
 * Runs an example. A line `expression; // => value` must have that value, and `expression; // throws text` must fail
 * with a message that contains the text. The module's own exports are in scope; others are imported.
 */
export async function runExample({ file }: Pick<DocumentedExport, 'file'>, code: string): Promise<void> {
  const script = code
    .replace(IMPORT, (_line, names: string, from: string) => {
      const path = PUBLISHED[from] ?? (from.startsWith('.') ? join(dirname(file), from) : from);
      const wanted = names.replace(/type \w+,? ?/gu, '').replace(/ as /gu, ': ');
      return `const { ${wanted} } = load(${JSON.stringify(path)});`;
    })
    .replace(
      THROWN,
      (_line, call: string, text: string) => `await fails(async () => (${call}), ${JSON.stringify(text)});`,
    )
    .replace(EXPECTED, (_line, expression: string, value: string) =>
      expression.startsWith('const ')
        ? `${expression};\nsame(${expression.slice(6).split(' ')[0]!}, ${value});`
        : `same(await (${expression}), ${value});`,
    );
  const { outputText } = ts.transpileModule(script, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  const load = (path: string): object =>
    jest.requireActual<object>(/^(?:src|test)\//u.test(path) ? join(root, path) : path);
  const own = Object.entries(load(file));
  const same = (actual: unknown, expected: unknown): void => {
    expect(plain(actual)).toEqual(plain(expected));
  };
  const fails = async (work: () => Promise<unknown>, text: string): Promise<void> => {
    await expect(work()).rejects.toThrow(text);
  };
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...args: unknown[]) => Promise<void>;
  const imported = new Set([...code.matchAll(IMPORT)].flatMap(([, names]) => names!.split(/,\s*/u)));
  const scope = own.filter(([name]) => !imported.has(name));
  const run = new AsyncFunction('load', 'same', 'fails', ...scope.map(([name]) => name), outputText);
  await run(load, same, fails, ...scope.map(([, value]) => value));
}
