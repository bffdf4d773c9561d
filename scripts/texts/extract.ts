import { extname } from 'node:path';

import ts from 'typescript';

/** Stands in a text where a value of the program comes. No text of ours has one. */
export const SLOT = '\0';

/** Below this the call that takes a text's place is no shorter (bytes). */
const LEAST_BYTES = 9;

/** A text as the program says it, in parts, and the expressions whose values stand between them. */
type Said = { readonly parts: readonly string[]; readonly values: readonly ts.Expression[] };

/** What JSX makes of text over several lines: each without what it is indented by, one space between. */
function jsxText(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, index) => {
      const begun = index === 0 ? line : line.trimStart();
      return index === lines.length - 1 ? begun : begun.trimEnd();
    })
    .filter((line) => line !== '')
    .join(' ');
}

/** What JSX reads as it is written. */
const isMarkup = (node: ts.Node): boolean => ts.isJsxText(node) || ts.isJsxAttribute(node.parent);

/** In markup: entities, such as `&amp;`, and blanks of which compilers make one thing or another. */
const isLeftToTheCompiler = (node: ts.Node): boolean =>
  ts.isJsxText(node)
    ? /&|[^\S \n]/u.test(node.text)
    : ts.isJsxAttribute(node.parent) && /&|[^\S ]/u.test(node.getText());

function saidBy(node: ts.Node): Said | undefined {
  if (isLeftToTheCompiler(node)) return undefined;
  if (ts.isJsxText(node)) return { parts: [jsxText(node.text)], values: [] };
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return { parts: [node.text], values: [] };
  if (!ts.isTemplateExpression(node)) return undefined;
  const { head, templateSpans: spans } = node;
  return {
    parts: [head.text, ...spans.map(({ literal }) => literal.text)],
    values: spans.map(({ expression }) => expression),
  };
}

/** A text that people read has a space in it, and one behind each comma: types of EIP-712 have not. */
function isWords({ parts }: Said): boolean {
  const words = parts.join('');
  return (
    words.trim().includes(' ') &&
    !/,\S/u.test(words) &&
    !words.includes(SLOT) &&
    Buffer.byteLength(words) >= LEAST_BYTES
  );
}

/** The name of a part of an object. */
const isName = (node: ts.Node): boolean => (node.parent as { readonly name?: ts.Node }).name === node;

/** Where a literal is no value of the program that runs, or is not read as it is written. */
const isNoValue = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isTaggedTemplateExpression(node) ||
  ts.isEnumDeclaration(node) ||
  isName(node);

/**
 * Writes a call in the place of each text that a function says, and leaves those that are said while the module loads:
 * texts are there from the first request on.
 *
 * @param path - Of the module, which says whether there is JSX in it.
 * @param code - TypeScript.
 * @param numberOf - Which number the text has. Where a value comes it has a {@link SLOT}.
 * @param said - The name of the function that gives a text by its number and values.
 * @returns TypeScript that does the same once the texts are there.
 */
export function withoutTexts(path: string, code: string, numberOf: (text: string) => number, said: string): string {
  const kind = extname(path) === '.tsx' ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.ES2022, true, kind);

  const written = (node: ts.Node, inFunction: boolean): string => {
    const words = inFunction ? saidBy(node) : undefined;
    if (words !== undefined && isWords(words)) {
      const values = words.values.map((value) => `, (${written(value, true).trim()})`).join('');
      const call = `${said}(${numberOf(words.parts.join(SLOT))}${values})`;
      const leading = code.slice(node.pos, ts.isJsxText(node) ? node.pos : node.getStart(file));
      return leading + (isMarkup(node) ? `{${call}}` : call);
    }
    const within = inFunction || ts.isFunctionLike(node);
    let text = '';
    let at = node.pos;
    ts.forEachChild(node, (child) => {
      text += code.slice(at, child.pos);
      text += isNoValue(child) ? code.slice(child.pos, child.end) : written(child, within);
      at = child.end;
    });
    return text + code.slice(at, node.end);
  };
  return written(file, false) + code.slice(file.end);
}
