import { getUserOperationHash } from 'viem/account-abstraction';

import { userOperationHash } from '../../../../src/core/erc4337/hash';
import { type InvalidParamsError } from '../../../../src/core/errors';
import { type Hex, toHex } from '../../../../src/core/eth/bytes';
import { OPERATION, placeOf } from '../../../support/user-operation';

const VERSIONS = ['0.6', '0.7', '0.8', '0.9'] as const;
const FACTORY = `0x${'fa'.repeat(20)}` as const;
const PAYMASTER = 'ee'.repeat(20);
const zeros = (bytes: number): string => '00'.repeat(bytes);

/** An operation that no entry point of a version could split must not get a hash, or it would be signed. */
describe.each(VERSIONS)('the hash of a user operation at entry point %s', (version) => {
  const hash = (change: object) => () => userOperationHash({ ...OPERATION, ...change }, placeOf(version));
  const naming = (field: string): InvalidParamsError =>
    expect.objectContaining({ field: `userOperation.${field}` }) as InvalidParamsError;

  it.each<Hex>([
    '0x00',
    FACTORY.slice(0, -2) as Hex,
    '0x7702',
    `0x7702${'0'.repeat(36)}`,
    `0x7702${'0'.repeat(36)}1234`,
  ])('is not made of the init code %s', (initCode) => {
    expect(hash({ initCode })).toThrow(naming('initCode'));
  });

  it.each<Hex>(['0x', FACTORY, `${FACTORY}12`, `0x7702${'1'.repeat(36)}`])(
    'is made of the init code %s',
    (initCode) => {
      expect(hash({ initCode })()).toHaveLength(32);
    },
  );

  const least = version === '0.6' ? 20 : 52;

  it('rejects a paymasterAndData that is too short', () => {
    const whole = `${PAYMASTER}${zeros(32)}`;
    for (const bytes of [1, 19, least - 1])
      expect(hash({ paymasterAndData: `0x${whole.slice(0, 2 * bytes)}` })).toThrow(naming('paymasterAndData'));
    for (const bytes of [0, least, 52])
      expect(hash({ paymasterAndData: `0x${whole.slice(0, 2 * bytes)}` })()).toHaveLength(32);
  });
});

describe.each(['0.7', '0.8', '0.9'] as const)("the paymaster's gas limits at %s", (version) => {
  const hash = (first: bigint, second: bigint) => () => {
    const limits = [first, second].map((limit) => limit.toString(16).padStart(32, '0')).join('');
    return userOperationHash({ ...OPERATION, paymasterAndData: `0x${PAYMASTER}${limits}` }, placeOf(version));
  };
  const most = (1n << 120n) - 1n;

  it('must be at most 2^120-1', () => {
    expect(hash(most, most)()).toHaveLength(32);
    expect(hash(most + 1n, 0n)).toThrow(/at most 2\^120-1/u);
    expect(hash(0n, most + 1n)).toThrow(/at most 2\^120-1/u);
  });
});

describe("the paymaster's signature at 0.9", () => {
  const MAGIC = '22e325a297439656';
  const hash = (rest: string) => {
    const paymasterAndData = `0x${PAYMASTER}${zeros(32)}${rest}` as const;
    return () => userOperationHash({ ...OPERATION, paymasterAndData }, placeOf('0.9'));
  };

  it('must fit into the data', () => {
    expect(hash(`${'11'.repeat(3)}0003${MAGIC}`)()).toHaveLength(32);
    expect(hash(`${'11'.repeat(3)}0004${MAGIC}`)).toThrow(/long enough for its paymaster's signature/u);
    expect(hash(`ffff${MAGIC}`)).toThrow(/long enough for its paymaster's signature/u);
  });

  it('is absent if its length is zero or the suffix differs', () => {
    expect(hash(`${'11'.repeat(3)}0000${MAGIC}`)()).not.toEqual(hash(`${'22'.repeat(3)}0000${MAGIC}`)());
    expect(hash(`${'11'.repeat(3)}0003${MAGIC}`)()).toEqual(hash(`${'22'.repeat(3)}0003${MAGIC.toUpperCase()}`)());
    expect(hash(`${'11'.repeat(3)}0003${MAGIC}00`)()).not.toEqual(hash(`${'22'.repeat(3)}0003${MAGIC}00`)());
  });
});

describe('the hash of an operation of an upgraded account (EIP-7702)', () => {
  const delegate = `0x${'de'.repeat(20)}` as const;
  const marker: Hex = `0x7702${'0'.repeat(36)}`;
  const { initCode: _initCode, paymasterAndData: _paymasterAndData, ...fields } = OPERATION;

  it.each(['0.8', '0.9'] as const)('names its delegate, in either form of the marker, at %s', (version) => {
    const { entryPoint, chainId } = placeOf(version);
    const expected = getUserOperationHash({
      ...{ entryPointAddress: entryPoint, entryPointVersion: version, chainId: Number(chainId) },
      userOperation: { ...fields, factory: '0x7702', authorization: { address: delegate } as never },
    });
    for (const initCode of ['0x7702', marker] as const)
      expect(toHex(userOperationHash({ ...OPERATION, initCode }, { ...placeOf(version), delegate }))).toBe(expected);
    const plain = userOperationHash(OPERATION, { ...placeOf(version), delegate });
    expect(plain).toEqual(userOperationHash(OPERATION, placeOf(version)));
    expect(toHex(plain)).not.toBe(expected);
  });

  it.each(['0.6', '0.7'] as const)('is not made at %s, which knows no upgraded accounts', (version) => {
    expect(() => userOperationHash({ ...OPERATION, initCode: '0x7702' }, { ...placeOf(version), delegate })).toThrow(
      'userOperation.initCode: must name a factory',
    );
  });
});

test('a paymaster of 0.9 has no signature where only its gas limits stand before the mark of one', () => {
  const paymasterAndData = `0x${PAYMASTER}${zeros(31)}0122e325a297439656` as const;
  expect(userOperationHash({ ...OPERATION, paymasterAndData }, placeOf('0.9'))).toHaveLength(32);
});
