import { deflateRawSync } from 'node:zlib';

import { isAddress, recoverAddress } from 'viem';

import { DUMMY_SIGNATURE } from '../../../../src/core/erc4337/dummy-signature';

/** Half of the order of secp256k1 (EIP-2). */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

describe('the dummy signature', () => {
  const bytes = Buffer.from(DUMMY_SIGNATURE.slice(2), 'hex');

  it('has the form of a real one: 65 bytes, a low s, and a key that can be recovered', async () => {
    expect(bytes).toHaveLength(65);
    expect(BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`)).toBeLessThanOrEqual(HALF_ORDER);
    const address = await recoverAddress({ hash: `0x${'12'.repeat(32)}`, signature: DUMMY_SIGNATURE });
    expect(isAddress(address)).toBe(true);
  });

  it('costs as call data what a real one costs: without a zero byte, and no shorter when it is compressed', () => {
    expect(bytes.includes(0)).toBe(false);
    expect(deflateRawSync(bytes, { level: 9 }).length).toBeGreaterThanOrEqual(bytes.length);
  });
});
