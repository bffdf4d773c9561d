import { createPublicClient, http, type PublicClient } from 'viem';

import { type Devnet } from '../../../src/companion/model/types';
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
