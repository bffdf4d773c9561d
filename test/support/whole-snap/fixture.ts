import { type KeyringAccount } from '@metamask/keyring-api';

import { type Json } from '@metamask/snaps-sdk';

import { DAPP, SnapInProcess } from '../wallet/in-process';
import { WalletDouble } from '../wallet/wallet-double';

export const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
export const OTHER_KEY = `0x${'42'.repeat(32)}`;
export const CHAIN = 'eip155:31337';
export const CHAIN_ID = '0x7a69';

/** A chain configuration. */
export const configuration = (id: number, more: Record<string, string> = {}) => ({
  chainId: `eip155:${id}`,
  rpcUrl: `https://node.example/${id}`,
  bundlerUrl: `https://bundler.example/${id}`,
  ...more,
});

export const SMART = { type: 'eip155:erc4337', chainId: CHAIN };

type Named = 'eoa' | 'imported' | 'smart' | 'safe';
export type Accounts = Readonly<Record<Named, { readonly id: string; readonly address: string }>>;

/** A world with an account of each kind, a chain, and a site that may use every account. */
export type Furnished = { readonly world: WalletDouble; readonly accounts: Accounts };

/** @param more - Additional members of the chain configuration. */
export async function furnished(more: Record<string, string> = {}): Promise<Furnished> {
  const world = new WalletDouble();
  const session = new SnapInProcess(world);
  const create = async (options: Record<string, string | number>): Promise<KeyringAccount> =>
    (await session.keyring('keyring_createAccount', { options })) as unknown as KeyringAccount;
  await session.keyring('keystead_setChain', configuration(31337, more));
  const accounts = {
    eoa: await create({}),
    imported: await create({ privateKey: KEY }),
    smart: await create({ ...SMART, index: 0 }),
    safe: await create({ ...SMART, index: 0, kind: 'safe-0.7' }),
  };
  world.choice = Object.values(accounts).map(({ id }) => id);
  await session.dapp('eth_requestAccounts', undefined, DAPP);
  world.choice = undefined;
  return { world: world.clone(), accounts };
}

export const TO = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

export const TYPED_DATA = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'number', type: 'uint256' }] },
  primaryType: 'Note',
  domain: { name: 'Notes' },
  message: { number: '1' },
};

export const transactionFrom = (from: string) => ({
  type: '0x2',
  chainId: CHAIN_ID,
  nonce: '0x0',
  gasLimit: '0x5208',
  maxFeePerGas: '0x2',
  maxPriorityFeePerGas: '0x1',
  to: TO,
  value: '0x1',
  data: '0x',
  from,
});

/** The parameters of `wallet_sendCalls`: two calls, with the account's address as the id. */
export const callsFrom = (from: string, more: Record<string, Json> = {}) => [
  {
    version: '2.0.0',
    chainId: CHAIN_ID,
    from,
    atomicRequired: false,
    id: from,
    calls: [
      { to: TO, value: '0x1' },
      { to: TO, value: '0x2' },
    ],
    ...more,
  },
];

/** A copy of a world after another action. */
export async function after(
  world: WalletDouble,
  ...steps: ((session: SnapInProcess) => Promise<unknown>)[]
): Promise<WalletDouble> {
  const copy = world.clone();
  const session = new SnapInProcess(copy);
  for (const step of steps) await step(session);
  return copy.clone();
}

/** Timestamps, which change while something hangs. */
export const TIMES = /17000\d{8}/u;
