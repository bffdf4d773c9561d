import fc from 'fast-check';

import { perRun } from './nightly';

/**
 * How a property is run: the first third of its cases in `npm test`, all of them in the nightly run, and KEYSTEAD_FUZZ
 * times as many in `npm run fuzz`, from a random seed that is reported with a counterexample.
 *
 * @param runs - The number of cases in the nightly run.
 */
export function fuzzing(runs: number): { numRuns: number; seed?: number } {
  const factor = Number(process.env.KEYSTEAD_FUZZ ?? '0');
  return factor > 0 ? { numRuns: runs * factor } : { numRuns: perRun(Math.ceil(runs / 3), runs), seed: 20_260_101 };
}

/** The first surrogate and how many there are: they are no characters. */
const [FIRST_SURROGATE, SURROGATES] = [0xd800, 0x800];

const characterAt = (index: number): string =>
  String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES);

function indexOf(character: unknown): number {
  const code = (typeof character === 'string' ? character.codePointAt(0) : undefined) ?? 0;
  const index = code < FIRST_SURROGATE ? code : code - SURROGATES;
  if (characterAt(index) !== character) throw new Error('not one character');
  return index;
}

/** Any Unicode character. The unit `binary` is the same, but makes a table of them all, a second in each test file. */
const character = fc.nat(0x10_ffff - SURROGATES).map(characterAt, indexOf);

/** Any text, also of control characters and of those that are not assigned. */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc.string({ unit: character, ...(maxLength !== undefined && { maxLength }) });

/** No error and no result may contain this. */
export const SECRET = `0x${'5ec7e7'.repeat(10)}5ec7`;

/** Values that often break programs, for any place in JSON. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    1.5,
    2 ** 53,
    1e300,
    '',
    '0x',
    '0X0',
    '0x0',
    '0x00',
    '-0x1',
    '0b1',
    ' 0x1',
    '0x1\n',
    '0xzz',
    '1e3',
    'NaN',
    '__proto__',
    'constructor',
    'toString',
    '\u202e',
    '\ud800',
    '\0',
    [],
    {},
    [[]],
    SECRET,
    `0x1${'0'.repeat(64)}`,
    'x'.repeat(5_000),
    `0x${'ab'.repeat(5_000)}`,
  ),
  fc.jsonValue({ maxDepth: 3 }),
  anyText(30),
  fc.uint8Array({ maxLength: 70 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
);

type Change = {
  readonly kind: 'replace' | 'remove' | 'add' | 'repeat';
  readonly pick: number;
  readonly value: unknown;
};

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('replace', 'remove', 'add', 'repeat'),
  pick: fc.nat(10_000),
  value: hostile,
});

type Place = { readonly parent: Record<string, unknown> | unknown[]; readonly key: string };

/** Every place in a JSON value. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Place['parent'];
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn((parent as Record<string, unknown>)[key])]);
}

const NEW_NAMES = ['__proto__', 'constructor', 'type', 'chainId', 'from', 'extra', '', '0'];

function applied(root: { value: unknown }, { kind, pick, value: given }: Change): void {
  const value = structuredClone(given);
  const places = placesIn(root);
  const { parent, key } = places[pick % places.length] as Place;
  const slot = parent as Record<string, unknown>;
  if (kind === 'replace') slot[key] = value;
  else if (Array.isArray(parent))
    parent.splice(
      Number(key),
      kind === 'remove' ? 1 : 0,
      ...(kind === 'remove' ? [] : [kind === 'repeat' ? parent[Number(key)] : value]),
    );
  else if (kind === 'remove' && key !== 'value') Reflect.deleteProperty(slot, key);
  // An own property, whatever its name, as JSON.parse creates it.
  else
    Object.defineProperty(slot, NEW_NAMES[pick % NEW_NAMES.length] as string, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** Valid JSON values with one to four mutations. */
export const mutated = (seeds: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(seeds, fc.array(change, { minLength: 1, maxLength: 4 })).map(([seed, changes]) => {
    const root = { value: structuredClone(seed) };
    for (const each of changes) applied(root, each);
    return root.value;
  });

/** Valid bytes, with some flipped, removed or inserted. */
export const mutatedBytes = (seeds: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(
        fc.tuple(fc.nat(), fc.constantFrom('set', 'cut', 'insert'), fc.uint8Array({ minLength: 1, maxLength: 9 })),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    )
    .map(([seed, changes]) => {
      let bytes = Buffer.from(seed);
      for (const [pick, kind, piece] of changes) {
        const at = bytes.length === 0 ? 0 : pick % bytes.length;
        if (kind === 'set') bytes.set(piece.subarray(0, bytes.length - at), at);
        else
          bytes = Buffer.concat([
            bytes.subarray(0, at),
            ...(kind === 'insert' ? [piece] : []),
            bytes.subarray(kind === 'cut' ? at + piece.length : at),
          ]);
      }
      return bytes;
    });
