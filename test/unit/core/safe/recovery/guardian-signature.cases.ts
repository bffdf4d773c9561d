import { encodeAbiParameters, encodePacked, keccak256, stringToBytes } from 'viem';

import { recoveryHash } from '../../../../../src/core/safe/recovery/guardian-signature';
import { MODULE, party, SAFE } from '../../../../support/recovery-node';

const RECOVERY = { safe: SAFE, chainId: 10n, nonce: 3n, newOwners: [party('c'), party('b')], newThreshold: 2n };

/** As the module computes it (`getRecoveryHash`), without a library for typed data. */
function byHand(): string {
  const text = (value: string) => keccak256(stringToBytes(value));
  const domain = keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
      [
        text('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
        text('Social Recovery Module'),
        text('0.0.1'),
        10n,
        MODULE.address,
      ],
    ),
  );
  const recovery = keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'address' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'uint256' }],
      [
        text('ExecuteRecovery(address wallet,address[] newOwners,uint256 newThreshold,uint256 nonce)'),
        SAFE,
        keccak256(
          encodeAbiParameters(
            RECOVERY.newOwners.map(() => ({ type: 'address' })),
            RECOVERY.newOwners,
          ),
        ),
        2n,
        3n,
      ],
    ),
  );
  return keccak256(encodePacked(['bytes2', 'bytes32', 'bytes32'], ['0x1901', domain, recovery]));
}

describe('what a guardian signs', () => {
  it('has the hash that the module computes', () => {
    expect(recoveryHash(MODULE, RECOVERY)).toBe(byHand());
  });

  it.each([
    ['another order of the owners', { newOwners: RECOVERY.newOwners.toReversed() }],
    ['another threshold', { newThreshold: 1n }],
    ['another nonce', { nonce: 4n }],
    ['another network', { chainId: 1n }],
    ['another account', { safe: party('6') }],
  ])('is not good for %s', (_what, change) => {
    expect(recoveryHash(MODULE, { ...RECOVERY, ...change })).not.toBe(byHand());
  });

  it('is not good for another module, or another version of it', () => {
    expect(recoveryHash({ ...MODULE, address: party('7') }, RECOVERY)).not.toBe(byHand());
    expect(recoveryHash({ ...MODULE, signingVersion: '0.2.0' }, RECOVERY)).not.toBe(byHand());
  });
});
