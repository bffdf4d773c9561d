import {
  createPublicClient,
  createTestClient,
  type Hex,
  http,
  parseEther,
  type PublicClient,
  publicActions,
  walletActions,
} from 'viem';
import { foundry } from 'viem/chains';

import { type Devnet } from '../../../src/companion/model/types';
import { portsFrom } from '../../../src/devnet/ports';
import { type World } from './world';

/** The `devnet.json` that the devnet serves to the page. */
export async function devnetOf({ origin }: World): Promise<Devnet> {
  return (await (await fetch(`${origin}/devnet.json`)).json()) as Devnet;
}

/** A viem client of the devnet's chain. */
export async function nodeOf(world: World): Promise<PublicClient> {
  const { chain } = await devnetOf(world);
  return createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 200 });
}

/**
 * Sends a transaction as an account whose key nobody here has, until it is mined: only a chain for tests does so.
 *
 * @throws If it was reverted.
 */
export async function sendAs({ url }: World, from: Hex, to: Hex, data: Hex): Promise<void> {
  const { chain } = portsFrom(Number(new URL(url).port));
  const node = createTestClient({ mode: 'anvil', chain: foundry, transport: http(`http://127.0.0.1:${chain}`) })
    .extend(publicActions)
    .extend(walletActions);
  await node.setBalance({ address: from, value: parseEther('1') });
  await node.impersonateAccount({ address: from });
  const hash = await node.sendTransaction({ account: from, to, data });
  await node.stopImpersonatingAccount({ address: from });
  const { status } = await node.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error(`The transaction of ${from} was reverted.`);
}
