import { type Parameter } from './parameter';
import { textsAsParameters } from './texts';
import { THROWER } from './throws';

/**
 * What the bundle names often, and what is the same in every realm. A name of its own is shorter, and found at once: the
 * runtime searches its scopes each time for one that is not the bundle's.
 */
const GLOBALS = [
  'Array',
  'BigInt',
  'Error',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Promise',
  'RangeError',
  'RegExp',
  'Set',
  'String',
  'TextDecoder',
  'TextEncoder',
  'Uint8Array',
];

/** The numbers of the curve, which a minifier writes out at each place. */
const LONG_NUMBER = /0x[0-9a-f]{60,}n/gu;

/** Those of the curve are near a power of two, which is shorter to write. */
function shortest(number: string): string {
  const less = `2n**256n-0x${((1n << 256n) - BigInt(number.slice(0, -1))).toString(16)}n`;
  return less.length < number.length ? less : number;
}

/** How often the script says each word. */
function wordsOf(code: string): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  for (const [word] of code.matchAll(/[$\w]+/gu)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

/**
 * The bundle in a function with parameters for what it says often: globals, `undefined`, the numbers of the curve, texts and
 * names of properties, and the function that throws.
 *
 * @param code - The minified bundle.
 * @returns What a minifier still has to give short names to: the parameters that are used most come first, and get the shortest.
 */
export function enclosed(code: string): string {
  const numbers = [...new Set(code.match(LONG_NUMBER))];
  const texts = textsAsParameters(
    code.replaceAll('void 0', 'undefined').replaceAll(LONG_NUMBER, (number) => `number${numbers.indexOf(number)}`),
  );
  const words = wordsOf(texts.code);
  const usesOf = ({ name }: Parameter) => words.get(name) ?? 0;
  const parameters = [
    { name: 'undefined', value: 'void 0' },
    ...GLOBALS.map((name) => ({ name, value: name })),
    ...numbers.map((number, index) => ({ name: `number${index}`, value: shortest(number) })),
    ...texts.parameters,
    THROWER,
  ].sort((a, b) => usesOf(b) - usesOf(a));
  const list = (key: keyof Parameter) => parameters.map((parameter) => parameter[key]).join();
  return `((${list('name')})=>{${texts.code}})(${list('value')})`;
}
