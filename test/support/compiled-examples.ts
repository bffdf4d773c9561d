import { basename, dirname, join } from 'node:path';

import ts from 'typescript';

import { type DocumentedExport } from './examples';

const root = join(__dirname, '../..');

/** The published library runs in pages, so its examples may use what pages have. */
const CONFIG = join(root, 'tsconfig.dom.json');

/** One example as a module, next to the module that it documents. */
type ExampleModule = { readonly title: string; readonly path: string; readonly text: string };

/** The names that code uses: all of them, and those used as types. */
function namesIn(code: string): { readonly all: ReadonlySet<string>; readonly types: ReadonlySet<string> } {
  const all = new Set<string>();
  const types = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) all.add(node.text);
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) types.add(node.typeName.text);
    // Importing a name does not count as using it.
    if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('example.ts', code, ts.ScriptTarget.ES2022));
  return { all, types };
}

/**
 * @returns Whether an example annotates a value with the type, so that compiling the example checks it against the
 * type.
 */
export const usesType = (code: string, name: string): boolean => namesIn(code).types.has(name);

/** The names that an example imports itself. */
const importedBy = (code: string): ReadonlySet<string> =>
  new Set(
    [...code.matchAll(/^import \{ ([^}]*) \} from/gmu)]
      .flatMap(([, names]) => names!.split(', '))
      .map((name) => name.replace(/^type /u, '')),
  );

function toModule(one: DocumentedExport, code: string, at: number, all: readonly DocumentedExport[]): ExampleModule {
  const used = namesIn(code).all;
  const imported = importedBy(code);
  const own = all
    .filter(({ file, name }) => file === one.file && used.has(name) && !imported.has(name))
    .map(({ name, kind }) => (kind === 'type' ? `type ${name}` : name));
  return {
    title: `${one.file}: ${one.name}`,
    path: join(root, dirname(one.file), `${one.name}.example-${at}.ts`),
    text: `import { ${own.join(', ')} } from './${basename(one.file, '.ts')}';\n${code}`,
  };
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(CONFIG, (path) => ts.sys.readFile(path));
  return {
    ...ts.parseJsonConfigFileContent(config, ts.sys, root).options,
    paths: {
      'keystead/clients': [join(root, 'src/clients/index.ts')],
      'keystead/provider': [join(root, 'src/provider/index.ts')],
    },
  };
}

/**
 * Compiles all examples in one program. A module's own exports are in scope.
 *
 * @param all - What the modules export, with the examples.
 * @returns The compiler's errors in the examples, each after the export's file and name.
 */
export function compileErrorsOf(all: readonly DocumentedExport[]): string[] {
  const modules = new Map(
    all
      .flatMap((one) => one.examples.map((code, at) => toModule(one, code, at, all)))
      .map((module) => [module.path, module]),
  );
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) => {
    const module = modules.get(path);
    return module === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, module.text, ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram([...modules.keys()], options, host);
  return [...modules.values()].flatMap(({ title, path }) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${title}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  });
}
