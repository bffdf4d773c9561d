import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { COMMON_CHOICES, OTHER_CHOICES } from '../../../src/core/accounts/choices';
import { CODE_NAME, MACHINE_WORD } from '../../support/code-names';
import { SCREENS, TEXTS } from '../../support/snap-screens';

const ROOT = join(__dirname, '../../..');
/** What draws screens, or makes the words on them. */
const FOLDERS = ['src/companion', 'src/snap/screens', 'src/core/accounts'];

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return /\.tsx?$/u.test(path) && !path.endsWith('.d.ts') ? [path] : [];
  });

/** The attributes and members that hold words even if they are a single one. */
const WORDY = /^(?:label|hint|title|placeholder|text|alt|legend|limits|aria-label)$/u;

/** @returns The texts for people in a file: those of elements, those named as such, and sentences. */
function textsIn(path: string): string[] {
  const texts: string[] = [];
  const isNamed = ({ parent }: ts.Node): boolean =>
    (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)) && WORDY.test(parent.name.getText());
  const isText = (node: ts.Node, text: string): boolean => isNamed(node) || /\S \S/u.test(text);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxText(node)) texts.push(node.text.trim());
    else if (ts.isStringLiteralLike(node) && isText(node, node.text)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      if (isText(node, parts.join('\u2026'))) texts.push(parts.join('\u2026'));
    }
    ts.forEachChild(node, visit);
  };
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  visit(ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true, kind));
  // Signatures of contracts' functions are read by machines.
  return texts.filter((text) => text !== '' && !/^(?:function|event|error) \w+\(/u.test(text));
}

/** @returns The texts of a drawn screen, without what the test filled in. */
function textsOf(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  if (Array.isArray(node)) return node.flatMap(textsOf);
  if (typeof node !== 'object' || node === null) return [];
  const {
    name: _name,
    value: _value,
    address: _address,
    href: _href,
    ...shown
  } = (node as { readonly props: Record<string, unknown> }).props;
  return Object.values(shown).flatMap(textsOf);
}

describe('the words on screens', () => {
  it('have no names of code, as written', () => {
    const all = FOLDERS.flatMap(filesIn).map((path) => [path, textsIn(path)] as const);
    // The search finds what it should.
    expect(all.flatMap(([, texts]) => texts).length).toBeGreaterThan(900);
    expect(
      all.flatMap(([path, texts]) => texts.filter((text) => CODE_NAME.test(text)).map((text) => `${path}: ${text}`)),
    ).toEqual([]);
  });

  it('and in errors have no type of the ABI, no link to a standard, and no words of browsers', () => {
    const all = ['src/companion', 'src/snap', 'src/core', 'src/clients'].flatMap(filesIn);
    // What contracts hash has types, and no verbs.
    const isSentence = (text: string): boolean =>
      /\b(?:must|cannot|is|are|was|has|have|does|not|[Tt]he|it)\b/u.test(text);
    const texts = all.flatMap((path) =>
      textsIn(path).flatMap((text) => (isSentence(text) ? [[path, text] as const] : [])),
    );
    expect(texts.length).toBeGreaterThan(1000);
    expect(texts.flatMap(([path, text]) => (MACHINE_WORD.test(text) ? [`${path}: ${text}`] : []))).toEqual([]);
  });

  it('have none on the screens of the snap, as drawn', () => {
    const texts = Object.entries(SCREENS).flatMap(([name, draw]) =>
      draw(TEXTS.short)
        .flatMap(textsOf)
        .map((text) => `${name}: ${text}`),
    );
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter((text) => CODE_NAME.test(text) || MACHINE_WORD.test(text))).toEqual([]);
  });

  it('of kinds of account are sentences', () => {
    for (const { hint, limits } of [...COMMON_CHOICES, ...OTHER_CHOICES])
      for (const text of [hint, limits]) expect(text).toMatch(/^[A-Z].*\.$/u);
  });

  it.each([
    ['options.privateKey: must be a key', true],
    ['Call keystead_setChain first.', true],
    ['Run npm start.', true],
    ['Safe, entry point 0.7', true],
    ['Set rpcUrl.', true],
    ['See devnet.json.', true],
    ['Add a network first.', false],
    ['MetaMask asks you. SimpleAccount 0.7. A WebSocket. 0x1234…', false],
  ])('are told from code: %s', (text, isCode) => {
    expect(CODE_NAME.test(text)).toBe(isCode);
  });

  it.each([
    ['owners: must be an address[]', true],
    ['must be a uint256', true],
    ['See: https://www.w3.org/TR/webauthn-2/', true],
    ['This is an invalid domain.', true],
    ['12 bytes of data. Interest. 4 of [5] owners.', false],
  ])('are told from words of machines: %s', (text, isMachine) => {
    expect(MACHINE_WORD.test(text)).toBe(isMachine);
  });
});
