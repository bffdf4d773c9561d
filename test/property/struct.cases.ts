import * as superstruct from '@metamask/superstruct';
import { type AnyStruct } from '@metamask/superstruct';
import fc from 'fast-check';

import {
  array,
  boolean,
  enums,
  exactOptional,
  faultOf,
  integer,
  literal,
  membersOf,
  nonempty,
  nullable,
  number,
  object,
  optional,
  string,
  tuple,
  type,
  union,
  unknown,
} from '../../src/core/structs/struct';
import { fuzzing } from '../support/fuzz';

/** A struct twice: with our messages, and from the library. */
type Pair = { own: AnyStruct; peer: superstruct.Struct };

const peerOf = (struct: unknown): superstruct.Struct => struct as superstruct.Struct;
const pair = (own: AnyStruct, peer: unknown): Pair => ({ own, peer: peerOf(peer) });

/** The library accepts a list as a record; `membersOf` does not. */
const recordOf = (member: superstruct.Struct) =>
  superstruct.dynamic<unknown>((value) =>
    peerOf(Array.isArray(value) ? superstruct.never() : superstruct.record(superstruct.string(), member)),
  );

const NAMES = ['a', 'b', 'c', '__proto__', 'constructor', 'length', '0'];
/** No schema names a member that every object or list has. */
const MEMBERS = ['a', 'b', 'c'];
const NUMBERS = [-1, 0, 1, 1.5, 2 ** 53, Infinity, NaN];
const CONSTANTS = ['', 'a', 'b', -1, 0, 1];

const leaf: fc.Arbitrary<Pair> = fc.oneof(
  fc.constantFrom(
    pair(string(), superstruct.string()),
    pair(boolean(), superstruct.boolean()),
    pair(number(), superstruct.number()),
    pair(unknown(), superstruct.unknown()),
    pair(integer(), superstruct.integer()),
    pair(integer(0, 1), superstruct.max(superstruct.min(superstruct.integer(), 0), 1)),
  ),
  fc.constantFrom(...CONSTANTS).map((value) => pair(literal(value), superstruct.literal(value))),
  fc
    .uniqueArray(fc.constantFrom('', 'a', 'b'), { minLength: 1 })
    .map((values) => pair(enums(values), superstruct.enums(values))),
);

/** Members, some of which may be omitted or undefined. */
const membersFrom = (member: fc.Arbitrary<Pair>) =>
  fc
    .uniqueArray(
      fc.record({ name: fc.constantFrom(...MEMBERS), member, kind: fc.constantFrom('needed', 'optional', 'exact') }),
      { selector: ({ name }) => name, maxLength: 4 },
    )
    .map((members) => {
      const own = members.map(({ name, member: { own: struct }, kind }) => {
        if (kind === 'needed') return [name, struct];
        return [name, kind === 'exact' ? exactOptional(struct) : optional(struct)];
      });
      const peer = members.map(({ name, member: { peer: struct }, kind }) => {
        if (kind === 'needed') return [name, struct];
        // null counts as absent.
        const orNull = superstruct.nullable(struct);
        return [name, kind === 'exact' ? superstruct.exactOptional(orNull) : superstruct.optional(orNull)];
      });
      return {
        own: Object.fromEntries(own) as Record<string, AnyStruct>,
        peer: Object.fromEntries(peer) as Record<string, superstruct.Struct>,
      };
    });

const { struct: anyPair } = fc.letrec<{ struct: Pair }>((tie) => ({
  struct: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    tie('struct').map(({ own, peer }) => pair(nullable(own), superstruct.nullable(peer))),
    tie('struct').map(({ own, peer }) => pair(array(own), superstruct.array(peer))),
    tie('struct').map(({ own, peer }) => pair(nonempty(own), superstruct.nonempty(superstruct.array(peer)))),
    membersFrom(tie('struct')).map(({ own, peer }) => pair(object(own), superstruct.object(peer))),
    membersFrom(tie('struct')).map(({ own, peer }) => pair(type(own), superstruct.type(peer))),
    tie('struct').map(({ own, peer }) => pair(membersOf(own), recordOf(peer))),
    fc
      .array(tie('struct'), { minLength: 1, maxLength: 3 })
      .map((pairs) =>
        pair(
          union(pairs.map(({ own }) => own)),
          superstruct.union(pairs.map(({ peer }) => peer) as [superstruct.Struct, ...superstruct.Struct[]]),
        ),
      ),
    fc
      .array(tie('struct'), { minLength: 1, maxLength: 3 })
      .map((pairs) =>
        pair(
          tuple(pairs.map(({ own }) => own)),
          superstruct.tuple(pairs.map(({ peer }) => peer) as [superstruct.Struct, ...superstruct.Struct[]]),
        ),
      ),
  ),
}));

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(null, undefined, true, false, ...CONSTANTS, ...NUMBERS),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...NAMES, 'extra'), tie('value')), {
        selector: ([name]) => name,
        maxLength: 4,
      })
      .map((entries) => Object.fromEntries(entries) as unknown),
  ),
}));

describe("a struct, compared with superstruct's", () => {
  it('accepts the same values, and reports a fault that superstruct also finds', () => {
    let taken = 0;
    let refused = 0;
    fc.assert(
      fc.property(anyPair, anyValue, ({ own, peer }, value) => {
        const fault = faultOf(own, value);
        const [failure] = peer.validate(value);
        expect(fault === undefined).toBe(failure === undefined);
        if (fault === undefined) taken += 1;
        else {
          refused += 1;
          // A field whose name must not be repeated is reported as a fault of its parent.
          const depth = fault.rule === 'has an unknown field' ? -1 : undefined;
          const faults = failure?.failures().map(({ path }) => path.slice(0, depth).map(String).join('.'));
          expect(faults).toContain(fault.path.join('.'));
        }
      }),
      fuzzing(3_000),
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(100);
  });
});
