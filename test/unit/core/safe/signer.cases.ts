import { keccak256 } from 'viem';

import { ZERO_ADDRESS } from '../../../../src/core/eth/address';
import { type Hex } from '../../../../src/core/eth/bytes';
import { P256_VERIFIERS } from '../../../../src/core/safe/contracts';
import {
  hasKnownCode,
  KNOWN_VERIFIERS,
  SIGNER_FACTORIES,
  signerAddress,
  verifiersOf,
} from '../../../../src/core/safe/passkey/signer';
import { preparedCode } from '../../../support/prepared-code';

const FACTORY = SIGNER_FACTORIES[0]!;
const SIGNER = { factory: FACTORY.address, point: { x: 1n, y: 2n }, verifiers: verifiersOf(true, undefined) };

describe('a node that lies about the code of the factory', () => {
  const code = preparedCode(FACTORY.address);

  it('is told from one that does not', () => {
    expect(hasKnownCode(FACTORY, code)).toBe(true);
    for (const other of ['0x', '0x00', `${code}00`, `0x00${code.slice(4)}`] as const)
      expect(hasKnownCode(FACTORY, other)).toBe(false);
    expect(hasKnownCode({ codeHash: keccak256('0x6001') }, '0x6001')).toBe(true);
  });

  it('names no address of a signer', () => {
    const changed: Hex = `${code.slice(0, -2) as Hex}${code.endsWith('00') ? '01' : '00'}`;
    expect(() => signerAddress(SIGNER, changed)).toThrow('factory: must be one that Keystead knows, with its code');
    expect(() => signerAddress(SIGNER, '0x')).toThrow(RangeError);
    expect(() => signerAddress({ ...SIGNER, factory: ZERO_ADDRESS }, code)).toThrow(RangeError);
    expect(signerAddress({ ...SIGNER, factory: FACTORY.address.toLowerCase() as Hex }, code)).toMatch(/^0x/u);
  });

  it('is not needed to tell signers apart: each part of a signer is part of its address', () => {
    const others = [
      SIGNER,
      { ...SIGNER, point: { x: 2n, y: 2n } },
      { ...SIGNER, point: { x: 1n, y: 1n } },
      ...KNOWN_VERIFIERS.slice(1).map((verifiers) => ({ ...SIGNER, verifiers })),
    ];
    expect(new Set(others.map((one) => signerAddress(one, code))).size).toBe(others.length);
  });
});

describe('the verifiers of a signer', () => {
  it('are the precompile, where the network has it, before a contract', () => {
    expect(verifiersOf(true, undefined)).toBe(`0x0100${'00'.repeat(20)}`);
    expect(verifiersOf(true, P256_VERIFIERS[0])).toBe(`0x0100${P256_VERIFIERS[0].slice(2).toLowerCase()}`);
    expect(verifiersOf(false, P256_VERIFIERS[0])).toBe(`0x0000${P256_VERIFIERS[0].slice(2).toLowerCase()}`);
  });

  it('are never none at all: nothing could sign then', () => {
    expect(KNOWN_VERIFIERS).not.toContain(verifiersOf(false, undefined));
    expect(new Set(KNOWN_VERIFIERS).size).toBe(1 + 2 * P256_VERIFIERS.length);
  });
});
