import { type AnyStruct } from '@metamask/superstruct';

import { bytesStruct } from '../../../../src/core/structs/hex';
import {
  array,
  enums,
  faultOf,
  integer,
  literal,
  membersOf,
  nonempty,
  number,
  optional,
  object,
  parse,
  startingWith,
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

describe('a number from outside', () => {
  const rule = (struct: AnyStruct, value: unknown) => {
    try {
      parse(struct, value, 'count');
      return 'taken';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('is a whole one within its bounds, which the message names if there are two', () => {
    expect([0, 1, 5].map((value) => rule(integer(0, 5), value))).toEqual(['taken', 'taken', 'taken']);
    for (const value of [-1, 6, 1.5, '1', null, Number.NaN])
      expect(rule(integer(0, 5), value)).toBe('count: must be an integer from 0 to 5');
    expect([0, 2 ** 60].map((value) => rule(integer(0), value))).toEqual(['taken', 'taken']);
    for (const value of [-1, Infinity, 0.5]) expect(rule(integer(0), value)).toBe('count: must be an integer');
    expect([-(2 ** 60), 0].map((value) => rule(integer(), value))).toEqual(['taken', 'taken']);
    expect(rule(integer(), '0')).toBe('count: must be an integer');
  });

  it('is no text, and not the number that stands for none', () => {
    expect([0, -1.5, Infinity].map((value) => rule(number(), value))).toEqual(['taken', 'taken', 'taken']);
    for (const value of [Number.NaN, '1', null, [1]]) expect(rule(number(), value)).toBe('count: must be a number');
    expect(rule(number(), undefined)).toBe('count: is missing');
  });
});

describe('a list from outside', () => {
  it('has as many items as its struct says', () => {
    expect(parse(array(string()), [], 'names')).toEqual([]);
    expect(parse(nonempty(string()), ['a'], 'names')).toEqual(['a']);
    expect(() => parse(nonempty(string()), [], 'names')).toThrow('names: must be a non-empty list');
    expect(parse(tuple([string(), string()]), ['a', 'b'], 'names')).toEqual(['a', 'b']);
    expect(() => parse(tuple([string(), string()]), ['a'], 'names')).toThrow('names[1]: is missing');
    expect(() => parse(tuple([string()]), ['a', 'b'], 'names')).toThrow('names[1]: is not a known field');
    expect(parse(startingWith([string()]), ['a', 5], 'names')).toEqual(['a', 5]);
    expect(() => parse(startingWith([string()]), [5, 'a'], 'names')).toThrow('names[0]: must be a string');
  });

  it('is named by its positions where they have names', () => {
    const struct = tuple([string(), object({ inner: string() })]);
    const faulty = (value: unknown, names: readonly string[]) => () => parse(struct, value, 'params', names);
    expect(faulty([5, { inner: 'a' }], ['first', 'second'])).toThrow('first: must be a string');
    expect(faulty(['a', { inner: 5 }], ['first', 'second'])).toThrow('second.inner: must be a string');
    expect(faulty(['a', { inner: 5 }], ['first', ''])).toThrow('inner: must be a string');
    expect(faulty(['a', { inner: 5 }], ['first'])).toThrow('params[1].inner: must be a string');
    expect(faulty(['a', 5], ['first', ''])).toThrow('params[1]: must be an object');
    expect(faulty(5, ['first'])).toThrow('params: must be a list');
  });
});

test('the fault of a value is told without raising it, and there is none in a valid one', () => {
  expect(faultOf(object({ name: string() }), { name: 'a' })).toBeUndefined();
  expect(faultOf(object({ name: string() }), { name: 5 })).toEqual({ path: ['name'], rule: 'must be a string' });
  expect(faultOf(string(), 5)).toEqual({ path: [], rule: 'must be a string' });
});

describe('an object with any names from outside', () => {
  const struct = membersOf(type({ name: optional(string()) }));

  it('is no list', () => {
    for (const value of [[], [{}], 'text', 5, null]) {
      expect(() => parse(struct, value, 'params')).toThrow('params: must be an object');
      expect(struct.is(value)).toBe(false);
    }
  });

  it('is not changed by what is read of it', () => {
    const value = { one: { name: null }, two: { name: 'a' } };
    expect(parse(struct, value, 'params')).toEqual({ one: {}, two: { name: 'a' } });
    expect(value).toEqual({ one: { name: null }, two: { name: 'a' } });
  });
});

test('a value that may be left out may be null, and is read if it is there', () => {
  expect(parse(optional(string()), 'a', 'name')).toBe('a');
  expect(parse(optional(string()), undefined, 'name')).toBeUndefined();
  expect(parse(optional(string()), null, 'name')).toBeUndefined();
  expect(() => parse(optional(string()), 5, 'name')).toThrow('name: must be a string');
  expect(() => parse(string(), null, 'name')).toThrow('name: must be a string');
});

test('the rule for bytes of a certain length names it in bytes and digits', () => {
  expect(() => parse(bytesStruct(32), '0x12', 'hash')).toThrow('hash: must be 32 bytes: 0x and 64 hex digits');
});
