import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { endsOf } from '../../src/core/decode/effects/recipients';
import { accountId } from '../../src/snap/account/account';
import { STATE_VERSION } from '../../src/snap/wallet/state';
import { SnapInProcess } from '../support/wallet/in-process';
import { WalletDouble } from '../support/wallet/wallet-double';
import version2 from './states/version-2.json';

type Stored = { account: KeyringAccount; key: Json; announced: boolean };
/** A derived and an imported account. */
const [FIRST, IMPORTED] = (Object.values(version2.state.accounts) as unknown as Stored[]).filter(
  ({ account }) => account.type === 'eip155:eoa',
) as [Stored, Stored];

const addressOf = (n: number): `0x${string}` => `0x${n.toString(16).padStart(8, '0').repeat(5)}`;

/** The same account at another address. */
function copyOf({ account, ...rest }: Stored, n: number): Stored {
  const address = addressOf(n + 0x10000);
  return { ...rest, account: { ...account, id: accountId(address), address } };
}

const HISTORY = {
  addresses: Array.from({ length: 200 }, (_, n) => addressOf(n + 1)),
  signed: Array.from({ length: 50 }, (_, at) => ({ at, origin: 'https://dapp.example', method: 'personal_sign' })),
};

/**
 * The state of a wallet with accounts, fifty of which have full histories.
 *
 * @param size - At least two. The first two accounts are a derived and an imported one, which can sign.
 */
function walletOf(size: number): WalletDouble {
  const others = Array.from({ length: size - 2 }, (_, n) => copyOf(FIRST, n));
  const all = [...others, FIRST, IMPORTED];
  const addresses = all.map(({ account }) => account.address.toLowerCase());
  const ends: Record<string, Record<string, true>> = {};
  for (const address of addresses) (ends[endsOf(address)] ??= {})[address] = true;
  const historyOrder = addresses.slice(-50).toReversed();
  return new WalletDouble({
    state: {
      version: STATE_VERSION,
      accounts: Object.fromEntries(all.map((stored) => [stored.account.id, stored])),
      ends,
      histories: Object.fromEntries(historyOrder.map((address) => [address, HISTORY])),
      historyOrder,
    } as unknown as Record<string, Json>,
  });
}

/** A request to the wallet, with the bytes that the snap sends and receives. */
export type Weighed = { readonly call: string; readonly bytes: number };

const METHODS = ['personal_sign', 'eth_signTransaction'] as const;

/** @returns What the wallet is asked for two signatures of each kind, after a start of the snap. */
export async function signaturesWith(
  size: number,
  paramsOf: (method: (typeof METHODS)[number], address: string) => Json,
): Promise<Record<string, Weighed[]>> {
  const stored = walletOf(size);
  const weighed: Record<string, Weighed[]> = {};
  for (const { account } of [FIRST, IMPORTED])
    for (const method of METHODS) {
      const wallet = stored.clone();
      const calls: Weighed[] = (weighed[`${method} ${account.address}`] = []);
      wallet.onRequest = ({ method: call, params }) => {
        const { key } = (params ?? {}) as { key?: string };
        const answer = call === 'snap_getState' && key !== undefined ? wallet.read(key) : null;
        calls.push({ call: `${call} ${key ?? ''}`, bytes: JSON.stringify([params, answer]).length });
      };
      const snap = new SnapInProcess(wallet, 'built');
      for (let round = 0; round < 2; round++) await snap.submit(account.id, method, paramsOf(method, account.address));
    }
  return weighed;
}
