import { isSmart, type StoredSmartAccount } from '../../../../src/snap/account/account';
import { smartAccountOf } from '../../../../src/snap/account/smart-account';
import { startKeyring } from '../../../support/wallet/keyring';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const OTHER = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

async function smartAccount(): Promise<StoredSmartAccount> {
  const { keyring, deps } = startKeyring({ wallet: new WalletDouble() });
  const { id } = await keyring.createAccount({ type: 'eip155:erc4337', chainId: 'eip155:1' });
  const stored = await deps.accounts.get(id);
  if (!isSmart(stored)) throw new Error('not a smart account');
  return stored;
}

describe('smartAccountOf', () => {
  it('verifies a cached entry once, and its replacement again', async () => {
    const stored = await smartAccount();
    const known = smartAccountOf(stored);
    expect(smartAccountOf(stored)).toBe(known);
    const changed = { ...stored, account: { ...stored.account } };
    expect(smartAccountOf(changed)).not.toBe(known);
    expect(smartAccountOf(changed)).toEqual(known);
  });

  it.each([
    ['factory', { factory: OTHER }],
    ['owner', { owner: OTHER }],
    ['salt', { salt: '0x7' }],
    ['kind', { kind: 'simple-account-0.8' }],
  ] as const)('rejects another %s that gives another address, whatever is cached', async (_, part) => {
    const stored = await smartAccount();
    smartAccountOf(stored);
    const damaged = { ...stored, smart: { ...stored.smart, ...part } } as StoredSmartAccount;
    for (let time = 0; time < 2; time++) expect(() => smartAccountOf(damaged)).toThrow('Nothing was signed');
  });
});
