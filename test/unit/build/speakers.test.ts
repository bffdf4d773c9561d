import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import ts from 'typescript';

import { speakers, speechless, writeTexts } from '../../../scripts/texts';
import { SLOT } from '../../../scripts/texts/extract';

const ROOT = join(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'keystead-texts-'));
const texts = JSON.parse(readFileSync(join(folder, writeTexts(folder)), 'utf8')) as readonly string[];

const { factory } = ts;

/** A template of these parts, in the one spelling. */
function template(parts: readonly string[], values: readonly ts.Expression[]): ts.Expression {
  const raw = (part: string): string => JSON.stringify(part).slice(1, -1);
  const [head = '', ...rest] = parts;
  if (values.length === 0) return factory.createStringLiteral(head);
  const spans = values.map((value, index) => {
    const part = rest[index] as string;
    const literal = index < values.length - 1 ? factory.createTemplateMiddle : factory.createTemplateTail;
    return factory.createTemplateSpan(value, literal(part, raw(part)));
  });
  return factory.createTemplateExpression(factory.createTemplateHead(head, raw(head)), spans);
}

/** The program that a module is, texts in one spelling, and those of the file where the module asks for them. */
function programOf(code: string, path: string): string {
  const { outputText } = ts.transpileModule(code, {
    fileName: path,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.ReactJSX },
  });
  const file = ts.createSourceFile('module.js', outputText, ts.ScriptTarget.ES2022, true);
  const spelt = (context: ts.TransformationContext) => (root: ts.SourceFile) => {
    const visit = (node: ts.Node): ts.Node => {
      if (ts.isTaggedTemplateExpression(node)) return node;
      const visited = ts.visitEachChild(node, visit, context);
      if (ts.isStringLiteralLike(visited)) return template([visited.text], []);
      if (ts.isTemplateExpression(visited))
        return template(
          [visited.head.text, ...visited.templateSpans.map(({ literal }) => literal.text)],
          visited.templateSpans.map(({ expression }) => expression),
        );
      if (!ts.isCallExpression(visited) || !ts.isIdentifier(visited.expression) || visited.expression.text !== '$said')
        return visited;
      const [number, ...values] = visited.arguments;
      return template(
        texts[Number((number as ts.NumericLiteral).text)]!.split(SLOT),
        values.map((value) => (value as ts.ParenthesizedExpression).expression),
      );
    };
    return ts.visitNode(root, visit) as ts.SourceFile;
  };
  const { transformed } = ts.transform(file, [spelt]);
  return ts.createPrinter({ removeComments: true }).printFile(transformed[0] as ts.SourceFile);
}

describe('the modules that have their texts taken out', () => {
  it.each(speakers().map((path) => [relative(ROOT, path), path]))('%s says what its source says', (_name, path) => {
    const source = readFileSync(path, 'utf8');
    const without = speechless(path, source, folder);
    const program = programOf(without, path).replace(/^import \{ said as \$said \} from .*;\n/mu, '');
    expect(program).toBe(programOf(source, path));
  });

  it('say all that is in the file', () => {
    const numbers = speakers().flatMap((path) =>
      [...speechless(path, readFileSync(path, 'utf8'), folder).matchAll(/\$said\((\d+)/gu)].map(([, number]) =>
        Number(number),
      ),
    );
    expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(texts.map((_, number) => number));
  });
});
