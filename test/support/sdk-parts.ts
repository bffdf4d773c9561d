import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import ts from 'typescript';

const root = join(__dirname, '../..');
const load = createRequire(__filename);

/** What a version of the SDK knows, by name: the props of components, the methods, and the fields of permissions. */
export type SdkParts = {
  readonly version: string;
  /** Undefined for a component whose props the SDK declares as a union; the type check alone holds those. */
  readonly components: ReadonlyMap<string, readonly string[] | undefined>;
  readonly methods: readonly string[];
  readonly permissions: ReadonlyMap<string, readonly string[]>;
};

/** What source files use of the SDK: the components with their props, and the methods. */
export type UsedParts = { readonly components: ReadonlyMap<string, Set<string>>; readonly methods: Set<string> };

const parsed = (name: string, text: string) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);

/** The members of a type literal, however deep in `Partial<…>` it is declared. */
function membersOf(path: string, typeName: string): Map<string, readonly string[]> {
  const members = new Map<string, readonly string[]>();
  const namesIn = (node: ts.Node): string[] =>
    ts.isTypeLiteralNode(node) ? node.members.flatMap(({ name }) => (name ? [nameOf(name)] : [])) : [];
  const nameOf = (name: ts.PropertyName) => (ts.isStringLiteral(name) ? name.text : name.getText());
  const visit = (node: ts.Node): void => {
    if (ts.isTypeLiteralNode(node))
      for (const member of node.members)
        if (ts.isPropertySignature(member) && member.type) members.set(nameOf(member.name), namesIn(member.type));
    if (!ts.isTypeLiteralNode(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(parsed(path, readFileSync(path, 'utf8')), (node) => {
    if (ts.isTypeAliasDeclaration(node) && node.name.text === typeName) visit(node.type);
  });
  return members;
}

type Schema = Record<string, { readonly schema: Record<string, unknown> | null }>;

/**
 * Reads an installed SDK.
 *
 * @param name - Its folder in `node_modules`.
 */
export function sdkParts(name: string): SdkParts {
  const at = (path: string) => join(root, 'node_modules', name, path);
  const { version } = load(at('package.json')) as { version: string };
  const structs = load(at('dist/jsx/validation.cjs')) as Record<string, { readonly schema?: Schema } | undefined>;
  const components = Object.keys(load(at('dist/jsx/index.cjs')) as object).flatMap((component) => {
    const props = structs[`${component}Struct`]?.schema?.props;
    return props === undefined ? [] : [[component, props.schema ? Object.keys(props.schema) : undefined] as const];
  });
  return {
    version,
    components: new Map(components),
    methods: [...membersOf(at('dist/types/methods/methods.d.cts'), 'SnapMethods').keys()],
    permissions: membersOf(at('dist/types/permissions.d.cts'), 'InitialPermissions'),
  };
}

/** Components of ours are imported from elsewhere, so only what comes from the SDK counts. */
function importedFromJsx(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !statement.importClause) return [];
    if ((statement.moduleSpecifier as ts.StringLiteral).text !== '@metamask/snaps-sdk/jsx') return [];
    const { namedBindings, isTypeOnly } = statement.importClause;
    if (isTypeOnly || !namedBindings || !ts.isNamedImports(namedBindings)) return [];
    return namedBindings.elements.filter((element) => !element.isTypeOnly).map(({ name }) => name.text);
  });
}

/**
 * Finds what source files use.
 *
 * @param sources - The text of each file by its name.
 */
export function usedParts(sources: Readonly<Record<string, string>>): UsedParts {
  const components = new Map<string, Set<string>>();
  const methods = new Set<string>();
  for (const [name, text] of Object.entries(sources)) {
    const file = parsed(name, text);
    const imported = importedFromJsx(file);
    for (const component of imported) components.set(component, components.get(component) ?? new Set());
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) && /^snap_[A-Za-z0-9]+$/u.test(node.text)) methods.add(node.text);
      if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
        const tag = node.tagName.getText();
        for (const attribute of node.attributes.properties)
          if (imported.includes(tag) && ts.isJsxAttribute(attribute))
            components.get(tag)?.add(attribute.name.getText());
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { components, methods };
}

/** @returns What is used and the SDK does not know: `Component`, `Component.prop` or `method`. */
export function unknownTo(sdk: SdkParts, { components, methods }: UsedParts): string[] {
  const ofComponents = [...components].flatMap(([component, props]) => {
    if (!sdk.components.has(component)) return [component];
    const known = sdk.components.get(component);
    const unknown = [...props].filter((prop) => prop !== 'key' && known?.includes(prop) === false);
    return unknown.map((prop) => `${component}.${prop}`);
  });
  return [...ofComponents, ...[...methods].filter((method) => !sdk.methods.includes(method))];
}

/** @returns What a manifest asks for and the SDK does not know: `permission` or `permission.field`. */
export function unknownPermissions(
  sdk: SdkParts,
  permissions: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): string[] {
  return Object.entries(permissions).flatMap(([permission, fields]) => {
    const known = sdk.permissions.get(permission);
    if (known === undefined) return [permission];
    return Object.keys(fields)
      .filter((field) => !known.includes(field))
      .map((field) => `${permission}.${field}`);
  });
}
