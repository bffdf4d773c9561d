import { type Hex } from '../../../../../src/core/eth/bytes';
import { type NodeReader } from '../../../../../src/core/safe/recovery/answer';
import { readModules } from '../../../../../src/core/safe/recovery/safe-modules';
import { answersOf, GUARDED, SAFE, SENTINEL } from '../../../../support/recovery-node';

const moduleAt = (at: number): Hex => `0x${(at + 4096).toString(16).padStart(40, '0')}`;
const many = (count: number): Hex[] => Array.from({ length: count }, (_none, at) => moduleAt(at));

/** A Safe that lists so many modules in pages of 20, as Safe 1.4.1 does. */
function safeWith(count: number): { readonly node: NodeReader; readonly asked: () => number } {
  let asked = 0;
  const node: NodeReader = {
    ask: (_method, params, result) => {
      asked++;
      const [{ data }] = params as [{ data: Hex }];
      const from = many(count).indexOf(`0x${data.slice(34, 74)}`) + 1;
      const modules = many(count).slice(from, from + 20);
      const next = from + 20 < count ? modules.at(-1)! : SENTINEL;
      return Promise.resolve(result.create(answersOf({ ...GUARDED, modules, next }).getModulesPaginated));
    },
  };
  return { node, asked: () => asked };
}
const read = (node: NodeReader, isCut?: boolean) => readModules(SAFE, { node, block: 'latest' }, isCut);

describe('the modules of a Safe', () => {
  it.each([0, 1, 19, 20, 21, 40, 100, 101, 120])('are all of them, if there are %s', async (count) => {
    expect(await read(safeWith(count).node)).toEqual(many(count));
  });

  it('are at most about a hundred, or the first ones of more', async () => {
    const { node, asked } = safeWith(200);
    await expect(read(node)).rejects.toThrow('modules: must be at most 100');
    expect(asked()).toBe(6);
    expect(await read(node, true)).toEqual(many(120));
  });

  it.each<[string, readonly Hex[], Hex]>([
    ['a page that is not full', many(19), moduleAt(18)],
    ['a full page, but after another module than its last', many(20), moduleAt(3)],
  ])('do not go on after %s', async (_what, modules, next) => {
    const node: NodeReader = {
      ask: (_method, _params, result) =>
        Promise.resolve(result.create(answersOf({ ...GUARDED, modules, next }).getModulesPaginated)),
    };
    await expect(read(node)).rejects.toThrow('modules: must go on after the last module of a full page, or end');
  });
});
