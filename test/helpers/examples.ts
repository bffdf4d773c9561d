import { dirname, join, relative } from 'node:path';

import ts from 'typescript';

const root = join(__dirname, '../..');

/** What a published name stands for in this repository. */
const PUBLISHED: Readonly<Record<string, string>> = {
  'keystead/clients': 'src/clients/index.ts',
};

/** Something that a module exports, with the code of its `@example`s. */
export type DocumentedExport = {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly examples: readonly string[];
};

const FENCE = /```ts\n([\s\S]*?)```/gu;

function examplesOf(declaration: ts.Node): string[] {
  return ts
    .getJSDocTags(declaration)
    .filter(({ tagName }) => tagName.text === 'example')
    .flatMap((tag) => [...(ts.getTextOfJSDocComment(tag.comment) ?? '').matchAll(FENCE)].map(([, code]) => code!));
}

/** Whether an export is something to call or to make: types need no example. */
const isValue = ({ flags }: ts.Symbol): boolean =>
  (flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class | ts.SymbolFlags.Variable)) !== 0;

/** @returns The functions, classes and constants that modules export, in order. @param files - From the root. */
export function valueExportsOf(files: readonly string[]): DocumentedExport[] {
  const paths = files.map((file) => join(root, file));
  const program = ts.createProgram(paths, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  return paths.flatMap((path) => {
    const source = program.getSourceFile(path)!;
    const module = checker.getSymbolAtLocation(source);
    return (module === undefined ? [] : checker.getExportsOfModule(module)).flatMap((symbol) => {
      const [exported] = symbol.declarations ?? [];
      if (exported !== undefined && ts.isExportSpecifier(exported) && exported.isTypeOnly) return [];
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const declaration = target.valueDeclaration;
      if (declaration === undefined || !isValue(target)) return [];
      // What a package exports is documented there.
      if (declaration.getSourceFile().fileName.includes('node_modules')) return [];
      return [
        {
          name: symbol.name,
          file: relative(root, declaration.getSourceFile().fileName),
          examples: examplesOf(declaration),
        },
      ];
    });
  });
}

const IMPORT = /^import \{ ([^}]*) \} from '([^']+)';$/gmu;
const EXPECTED = /^(.*?);? \/\/ => (.*)$/gmu;
const THROWN = /^(.*?);? \/\/ throws (.*)$/gmu;

/** Bytes as a list, so that an example may write them as one. */
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value);

/**
 * Runs an example. A line `expression; // => value` must have that value, and `expression; // throws text` must fail with
 * a message that contains the text. The module's own exports are in scope; others are imported.
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
