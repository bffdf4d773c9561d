import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import ts from 'typescript';

import { writeTexts } from '../../../scripts/texts';
import { SLOT, withoutTexts } from '../../../scripts/texts/extract';
import takeTextsOut from '../../../scripts/texts/loader';

type Shown = { readonly texts: readonly string[]; readonly code: string };

/** The module without its texts, and the texts. */
function takenOut(code: string, path = 'module.tsx'): Shown {
  const texts: string[] = [];
  const numberOf = (text: string): number => {
    if (!texts.includes(text)) texts.push(text);
    return texts.indexOf(text);
  };
  return { code: withoutTexts(path, code, numberOf, 'said'), texts };
}

/** What `result` is when the module has run and its texts were there only afterwards. */
function resultOf({ code, texts }: Shown): unknown {
  let there = false;
  const said = (number: number, ...values: unknown[]): string => {
    if (!there) throw new Error('said while the module loads');
    let slot = 0;
    return (texts[number] as string).replaceAll(SLOT, () => String(values[slot++]));
  };
  const element = (type: string, props: unknown, ...children: unknown[]) => ({ type, props, children });
  const { outputText } = ts.transpileModule(code, {
    fileName: 'module.tsx',
    compilerOptions: { target: ts.ScriptTarget.ES2022, jsx: ts.JsxEmit.React, jsxFactory: 'element' },
  });
  const context: { said: typeof said; element: typeof element; result?: () => unknown } = { said, element };
  runInNewContext(outputText, context);
  there = true;
  return JSON.stringify(context.result?.());
}

describe('texts that are taken out of a module', () => {
  it.each([
    ['a text', `var result = () => 'two words';`, ['two words']],
    ['one with values', 'var result = () => `${1 + 1} words, and ${3n} more`;', [`${SLOT} words, and ${SLOT} more`]],
    [
      'one in a value of another',
      "var result = () => `All of the ${[1, 2].map((n) => `single word ${n}`).join(' and so on ')}`;",
      [`single word ${SLOT}`, ' and so on ', `All of the ${SLOT}`],
    ],
    ['a template without values', 'var result = () => `two words`;', ['two words']],
    [
      'quotes, line breaks, dollars',
      String.raw`var result = () => 'it is \'so\',\n$& $1 \\ “yes”';`,
      [`it is 'so',\n$& $1 \\ “yes”`],
    ],
    ['the default of a parameter', `var result = (a = 'two words') => a;`, ['two words']],
    [
      'a value of an object',
      `var result = () => ({ 'a key': 'two words', b: ['more words'] });`,
      ['two words', 'more words'],
    ],
    ['a method of a class', `class A { b() { return 'two words'; } }\nvar result = () => new A().b();`, ['two words']],
    ['an attribute', `var result = () => <a title="two words" />;`, ['two words']],
    ['an element', `var result = () => <a>two words</a>;`, ['two words']],
    [
      'an element over several lines',
      `var result = () => (\n  <a>\n    several words\n    of one text\n  </a>\n);`,
      ['several words of one text'],
    ],
    ['an element with values', `var result = () => <a> before it {1} and after </a>;`, [' before it ', ' and after ']],
    [
      'an element with an element',
      `var result = () => <a>before it <b>inside it</b>\n  after it all</a>;`,
      ['before it ', 'inside it', 'after it all'],
    ],
    [
      'one with several expressions for a value',
      'var result = () => `${1, 2} words, ${[3, 4]} and so on`;',
      [`${SLOT} words, ${SLOT} and so on`],
    ],
    [
      'one with comments by its values',
      'var result = () => `${/* a */ 1 /* b */} words, ${ // c\n 2 // d\n} and so on`;',
      [`${SLOT} words, ${SLOT} and so on`],
    ],
    ['an operand', `var result = () => typeof 'two words';`, ['two words']],
  ])('%s', (_what, code, texts) => {
    const shown = takenOut(code);
    expect(shown.texts).toEqual(texts);
    expect(resultOf(shown)).toBe(resultOf({ code, texts: [] }));
  });

  it.each([
    ['what the module says while it loads', `const a = 'two words'; var result = () => a;`],
    ['a part of a class', `class A { static b = 'two words'; c = 'more words' }\nvar result = () => [A.b, new A().c];`],
    ['names', `var result = () => ({ 'two words': 1 });`],
    ['short ones', `var result = () => 'a b c d';`],
    ['codes', `var result = () => 'one-word-of-letters';`],
    ['types of EIP-712', `var result = () => 'Permit(address owner,address spender)';`],
    ['tagged templates', 'var result = () => String.raw`two words`;'],
    ['types', `var result = (): 'two words' | 1 => 1;`],
    ['entities', `var result = () => <a>this &amp; that</a>;`],
    ['attributes over several lines', `var result = () => <a title="two words\n  and more" />;`],
    ['tabs in attributes', `var result = () => <a title="two words\tand more" />;`],
    ['tabs in elements', `var result = () => <a>two words\tand more</a>;`],
    ['blanks that no line is broken at', `var result = () => <a>\n  \u00a0two words\n</a>;`],
    ['enumerations', `var result = () => { enum A { B = 'two words' } return A.B; };`],
    ['what has a slot already', String.raw`var result = () => 'two words \0';`],
    ['blanks between elements', `var result = () => <a>              <b />              </a>;`],
  ])('leaves %s', (_what, code) => {
    expect(takenOut(code)).toEqual({ code, texts: [] });
  });

  it('numbers a text once', () => {
    expect(takenOut(`var result = () => ['two words', 'two words'];`).code).toBe(
      'var result = () => [said(0), said(0)];',
    );
  });

  it('holds for any text and values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }),
        fc.string(),
        (parts, value) => {
          const literal = parts.map((part) =>
            JSON.stringify(part)
              .slice(1, -1)
              .replace(/[`$]/gu, String.raw`\$&`),
          );
          const code = `var result = () => \`${literal.join('${' + JSON.stringify(value) + '}')} and so on\`;`;
          expect(resultOf(takenOut(code))).toBe(resultOf({ code, texts: [] }));
        },
      ),
    );
  });
});

describe('the modules of a build', () => {
  const PATH = join(__dirname, '../../../src/explain/dangers.ts');
  const SOURCE = readFileSync(PATH, 'utf8');
  const DANGER = 'This moves all that there is of a token.';

  const folderOfBuild = (): string => mkdtempSync(join(tmpdir(), 'keystead-texts-'));
  const load = (folder: string, code: string, path = PATH): string =>
    takeTextsOut.call({ resourcePath: path, getOptions: () => ({ folder }) }, code);

  it('say each text by its number in the file that the build wrote', () => {
    const folder = folderOfBuild();
    const file = join(folder, writeTexts(folder));
    const texts = JSON.parse(readFileSync(file, 'utf8')) as string[];
    expect(load(folder, SOURCE)).toContain(`everything: $said(${texts.indexOf(DANGER)}),`);
    writeFileSync(file, JSON.stringify(['one more text', ...texts]));
    expect(load(folder, SOURCE)).toContain(`everything: $said(${texts.indexOf(DANGER) + 1}),`);
  });

  it('say no text that the file does not have: it came up after the file was written', () => {
    const folder = folderOfBuild();
    writeTexts(folder);
    expect(() => load(folder, SOURCE.replace(DANGER, 'Another text.'))).toThrow(
      'A text has come up since the file of the texts was written: "Another text."',
    );
  });

  it('are left as they are where they do not say much', () => {
    const code = `export const text = () => 'two words';`;
    expect(load('nowhere', code, join(__dirname, '../../../src/errors.ts'))).toBe(code);
  });
});
