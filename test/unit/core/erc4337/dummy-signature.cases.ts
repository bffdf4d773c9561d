import { deflateRawSync } from 'node:zlib';

import { isAddress, recoverAddress } from 'viem';

import { DUMMY_SIGNATURE } from '../../../../src/core/erc4337/dummy-signature';

/** Half of the order of secp256k1 (EIP-2). */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

describe('the dummy signature', () => {
  const bytes = Buffer.from(DUMMY_SIGNATURE.slice(2), 'hex');

  it('has the form of a real signature: 65 bytes, a low s, and a recoverable key', async () => {
    expect(bytes).toHaveLength(65);
    expect(BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`)).toBeLessThanOrEqual(HALF_ORDER);
    const address = await recoverAddress({ hash: `0x${'12'.repeat(32)}`, signature: DUMMY_SIGNATURE });
    expect(isAddress(address)).toBe(true);
  });

  it('costs as much call data as a real signature: no zero byte, and not compressible', () => {
    expect(bytes.includes(0)).toBe(false);
    expect(deflateRawSync(bytes, { level: 9 }).length).toBeGreaterThanOrEqual(bytes.length);
  });
});
