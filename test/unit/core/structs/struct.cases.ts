import { type AnyStruct } from '@metamask/superstruct';

import {
  array,
  enums,
  literal,
  membersOf,
  object,
  parse,
  string,
  tuple,
  type,
  union,
} from '../../../../src/core/structs/struct';

/** A deeply nested list. */
const nested = (): unknown[] => {
  let list: unknown[] = [];
  for (let at = 0; at < 200_000; at++) list = [list];
  return list;
};

describe('a value from outside', () => {
  it('is rejected, however deeply it nests', () => {
    const struct = object({ name: string() });
    expect(() => parse(struct, nested(), 'params')).toThrow('params.name: is missing');
    expect(() => parse(struct, { name: nested() }, 'params')).toThrow('params.name: must be a string');
    expect(struct.is(nested())).toBe(false);
  });

  it('is rejected at the first fault, without further validation', () => {
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

  it.each<[string, AnyStruct, string]>([
    ['a string', string(), 'must be a string'],
    ['a constant', literal('a'), 'must be "a"'],
    ['one of several', enums(['a']), 'must be one of "a"'],
    ['a list', array(string()), 'must be a list'],
    ['a parameter list', tuple([string()]), 'must be a list'],
    ['one of several kinds', union([string()]), 'does not have any of the supported forms'],
    ['an object', object({}), 'toString: is not a known field'],
    ['an object with a certain member', type({ name: string() }), 'name: is missing'],
    ['an object with members of one kind', membersOf(string()), 'toString: must be a string'],
  ])('is rejected where %s is expected, even if it cannot be converted to a string', (_kind, struct, sentence) => {
    const unprintable = JSON.parse('{"toString":null,"valueOf":null}') as unknown;
    expect(() => parse(struct, unprintable, 'params')).toThrow(sentence);
  });
});
