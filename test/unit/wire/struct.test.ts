import { array, object, parse, string } from '../../../src/wire/struct';

/** A list in a list in a list, without end. */
const nested = (): unknown[] => {
  let list: unknown[] = [];
  for (let at = 0; at < 200_000; at++) list = [list];
  return list;
};

describe('what came from outside', () => {
  it('is refused, however deep it nests', () => {
    const struct = object({ name: string() });
    expect(() => parse(struct, nested(), 'params')).toThrow('params.name: is missing');
    expect(() => parse(struct, { name: nested() }, 'params')).toThrow('params.name: must be a string');
    expect(struct.is(nested())).toBe(false);
  });

  it('is refused at the first thing that is wrong, and not looked at further', () => {
    const looked = jest.fn();
    const values = [1, 2].map((value) => ({
      get name() {
        looked(value);
        return value;
      },
    }));
    expect(() => parse(array(object({ name: string() })), values, 'params')).toThrow(
      'params[0].name: must be a string',
    );
    expect(looked).not.toHaveBeenCalledWith(2);
  });
});
