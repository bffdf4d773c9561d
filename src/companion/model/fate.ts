import { type Hash } from 'viem';
import { getTransaction, getTransactionReceipt } from 'viem/actions';

import { isSameAddress } from '../../core/eth/address';
import { type Activity, chainOf, type Fate } from './activity';
import { operationReceiptOf, unlessNotFound } from './look-up';
import { nodeOf } from './node';
import { type Chain } from './types';

/** Something that was signed to be sent by others: MetaMask, or the site that asked for it. */
type Followed = { readonly chain: Chain; readonly account: string; readonly method: string; readonly hash: Hash };

/** @returns What to ask the network about; undefined if nothing can be sent, or the network is not set up. */
function followed(entry: Activity, chains: readonly Chain[]): Followed | undefined {
  const { account, signed } = entry;
  const chain = chainOf(entry, chains);
  if (signed?.hash === undefined || chain === undefined) return undefined;
  return { chain, account, method: signed.method, hash: signed.hash };
}

const ended = (hasSucceeded: boolean): Fate => (hasSucceeded ? 'confirmed' : 'failed');

/** An answer about another transaction, or another account's, says nothing about this one. */
async function fateOfTransaction({ chain, account, hash }: Followed): Promise<Fate> {
  const node = nodeOf(chain);
  const receipt = await unlessNotFound(getTransactionReceipt(node, { hash }));
  if (receipt !== undefined)
    return receipt.transactionHash === hash && isSameAddress(receipt.from, account)
      ? ended(receipt.status === 'success')
      : 'unseen';
  const waiting = await unlessNotFound(getTransaction(node, { hash }));
  return waiting?.hash === hash && isSameAddress(waiting.from, account) ? 'waiting' : 'unseen';
}

async function fateOfOperation({ chain, account, hash }: Followed): Promise<Fate> {
  const receipt = await operationReceiptOf(chain, hash);
  return receipt?.userOpHash === hash && isSameAddress(receipt.sender, account) ? ended(receipt.success) : 'unseen';
}

const FATE_OF: Readonly<Record<string, (one: Followed) => Promise<Fate>>> = {
  eth_signTransaction: fateOfTransaction,
  eth_signUserOperation: fateOfOperation,
};

/** Milliseconds for which something that no node has seen is looked for. */
const SOUGHT = 3_600_000;

/** Whether looking again may change what is known. @param now - Milliseconds since 1970. */
export const isOpen = ({ fate, at }: Activity, now: number): boolean =>
  fate === 'waiting' || (fate === 'unseen' && now - at < SOUGHT);

/** The entries that a look at the activity follows, the most recent ones. */
const MAX_FOLLOWED = 50;

/**
 * Asks the networks what became of the signatures that others send. One after the other, because services limit how
 * much one page may ask at once. A service that does not respond changes nothing.
 *
 * @param list - The activity, the most recent first.
 * @param known - What was found before, by hash. Final fates are added.
 * @returns The activity with its fates.
 */
export async function withFates(
  list: readonly Activity[],
  chains: readonly Chain[],
  known: Map<Hash, Fate>,
): Promise<readonly Activity[]> {
  const all: Activity[] = [];
  let asked = 0;
  for (const entry of list) {
    const one = followed(entry, chains);
    const ask = one === undefined ? undefined : FATE_OF[one.method];
    if (one === undefined || ask === undefined) {
      all.push(entry);
      continue;
    }
    let fate = known.get(one.hash);
    if (fate !== 'confirmed' && fate !== 'failed' && asked < MAX_FOLLOWED) {
      asked += 1;
      fate = await ask(one).catch(() => fate);
      if (fate !== undefined) known.set(one.hash, fate);
    }
    all.push({ ...entry, ...(fate !== undefined && { fate }) });
  }
  return all;
}
