import { createHmac } from 'node:crypto';

import { keccak256, toBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { withBackupSecret } from '../../../../src/snap/account/backup/secret';
import { KIND_NAMES } from '../../../../src/core/kinds';
import { toHex } from '../../../../src/core/eth/bytes';
import { snapEntropy } from '../../../../src/snap/wallet/client';
import { keyringOf, startKeyring } from '../../../support/wallet/keyring';
import { WalletDouble } from '../../../support/wallet/wallet-double';

/** The key that the simulated wallet derives for a salt. */
const keyOf = (salt: string) => `0x${createHmac('sha256', 'test').update(salt).digest('hex')}` as const;
const addressOf = (salt: string) => privateKeyToAccount(keyOf(salt)).address;

/** A UUID of version 4 from the first 16 bytes of a hash (RFC 4122, 4.4). */
function idOf(type: string, address: string): string {
  const digits = keccak256(toBytes(`keystead/${type}/${address.toLowerCase()}`)).slice(2, 34);
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
  const [a, b, c] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16)];
  return `${a}-${b}-4${c}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
}

/** A keyring, and the salts that it requests from the wallet. */
function start() {
  const { deps } = startKeyring({ wallet: new WalletDouble() });
  const salts: string[] = [];
  const entropy = (salt: string): Promise<Uint8Array> => {
    salts.push(salt);
    return deps.entropy(salt);
  };
  return { keyring: keyringOf({ ...deps, entropy }), salts };
}

/** The constants that determine account addresses. If one changed, users would lose access to their accounts. */
describe('constants that must never change', () => {
  it('the key, address and id of a derived account', async () => {
    const { keyring, salts } = start();
    for (let index = 0; index < 3; index++) {
      const account = await keyring.createAccount({});
      const address = addressOf(`keystead/eip155:eoa/${index}`);
      expect(account).toMatchObject({ address, id: idOf('eip155:eoa', address), options: { index } });
    }
    expect(new Set(salts)).toEqual(new Set([0, 1, 2].map((index) => `keystead/eip155:eoa/${index}`)));
  });

  it('the id of an account, in the wallet and in the state', async () => {
    const { keyring } = start();
    const { id, address } = await keyring.createAccount({ privateKey: `0x${'42'.repeat(32)}` });
    expect({ id, address }).toEqual({
      id: idOf('eip155:eoa', address),
      address: privateKeyToAccount(`0x${'42'.repeat(32)}`).address,
    });
  });

  it('the kinds of smart account', () => {
    expect([...KIND_NAMES].sort()).toEqual([
      'safe-0.7',
      'simple-account-0.6',
      'simple-account-0.7',
      'simple-account-0.8',
      'simple-account-0.9',
    ]);
  });

  it.each(KIND_NAMES)('the owner key, salt and id of a smart account of kind %s', async (kind) => {
    const { keyring, salts } = start();
    const options = { type: 'eip155:erc4337', chainId: 'eip155:1', kind };
    for (const index of [0, 7]) {
      const { id, address, options: told } = await keyring.createAccount({ ...options, index });
      expect(told.owner).toBe(addressOf(`keystead/eip155:erc4337/${kind}/${index}`));
      expect(id).toBe(idOf('eip155:erc4337', address));
      // The index is the default CREATE2 salt.
      expect((await keyring.createAccount({ ...options, index, salt: `0x${index.toString(16)}` })).address).toBe(
        address,
      );
    }
    expect(new Set(salts)).toEqual(new Set([0, 7].map((index) => `keystead/eip155:erc4337/${kind}/${index}`)));
  });

  it('the backup secret, which is wiped after use', async () => {
    const secret = new Uint8Array(32).fill(7);
    const salts: string[] = [];
    const used = await withBackupSecret(
      (salt) => {
        salts.push(salt);
        return Promise.resolve(secret);
      },
      (lent) => Promise.resolve(toHex(lent)),
    );
    expect({ salts, used }).toEqual({ salts: ['keystead/backup/1'], used: `0x${'07'.repeat(32)}` });
    expect([...secret].every((byte) => byte === 0)).toBe(true);
  });

  it('the request to the wallet for a secret', async () => {
    const request = jest.fn(() => Promise.resolve(`0x${'05'.repeat(32)}`));
    Object.assign(globalThis, { snap: { request } });
    expect(await snapEntropy('a salt')).toEqual(new Uint8Array(32).fill(5));
    expect(request).toHaveBeenCalledWith({ method: 'snap_getEntropy', params: { version: 1, salt: 'a salt' } });
  });
});
