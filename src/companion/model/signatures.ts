import { type Address, getAddress } from 'viem';
import { waitForTransactionReceipt } from 'viem/actions';

import { latestState } from '../../clients/ledger-node';
import { NodeClient } from '../../clients/node';
import { isSameAddress } from '../../core/eth/address';
import { type Hex, lowerCase } from '../../core/eth/bytes';
import { type Cancellation, cancellationOf } from '../../core/ledger/signed/cancel';
import { boundBy, isSameKept, type Kept } from '../../core/ledger/signed/kept';
import { type Status, statusesAt } from '../../core/ledger/signed/status';
import { isSmart } from './account-name';
import { nodeOf } from './node';
import { sendOwnCalls } from './send-own-calls';
import { type SnapClient } from './snap-client';
import { type Account, type Chain } from './types';
import { hexChainOf } from './units';

/** Something that an account signed, and what the node says of it. */
export type OpenSignature = { readonly kept: Kept; readonly status: Status };

/** What an account signed that others can use on a network, and the node's name. */
export type SignatureList = { readonly node: string; readonly signatures: readonly OpenSignature[] };

/** What the statuses are if the node does not answer, and why it does not. */
type Unchecked = { readonly failure?: unknown };

/** Tells the snap which node called a signature used or cancelled, so that its home page says so. */
async function note({ kept, status }: OpenSignature, node: string, client: SnapClient): Promise<void> {
  const { account, chainId, goneAt, hash } = kept;
  // One that counts on every network may be used on one of them only.
  if (chainId === undefined || status === 'unknown' || status === 'expired') return;
  const isGone = status === 'gone';
  if (isGone !== (goneAt !== undefined))
    await client.dapp('keystead_noteSignature', { account, hash, goneAt: isGone ? node : null });
}

/** Whether an account signed something, or one of its owners for it. */
const isOf = (kept: Kept, account: string): boolean =>
  isSameAddress(kept.account, account) || isSameAddress(boundBy(kept), account);

/**
 * Reads what an account or one of its owners signed that others can use on a network, and asks the node about it.
 *
 * @throws If the wallet does not answer. If the node does not, `failure` is its error, and nothing is known.
 */
export async function readSignatures(
  account: Account,
  chain: Chain,
  client: SnapClient,
): Promise<SignatureList & Unchecked> {
  const all = await client.dapp('keystead_getSignatures');
  const own = all.filter((kept) => isOf(kept, account.address) && (kept.chainId ?? chain.chainId) === chain.chainId);
  const reader = new NodeClient({ url: chain.rpcUrl });
  const { title: node } = reader;
  if (own.length === 0) return { node, signatures: [] };
  try {
    const state = await latestState(reader);
    const statuses = await statusesAt(own, lowerCase(account.address as Hex), state);
    const signatures = own.map((kept, at) => ({ kept, status: statuses[at] ?? 'unknown' }));
    for (const one of signatures) await note(one, node, client);
    return { node, signatures };
  } catch (failure) {
    return { node, signatures: own.map((kept) => ({ kept, status: 'unknown' as const })), failure };
  }
}

/** @returns What an account can do to cancel a signature. */
export function cancellationBy(account: Account, kept: Kept): Cancellation {
  const bound = boundBy(kept);
  if (!isSameAddress(bound, account.address))
    return { kind: 'none', why: `It is for the Safe ${getAddress(bound)}, so only that account can cancel it.` };
  const cancellation = cancellationOf(kept);
  // Tokens take such a cancellation from keys only.
  return cancellation.kind === 'signature' && isSmart(account)
    ? { kind: 'none', why: 'Keystead cannot cancel it, because the account is a contract. It may count until it ends.' }
    : cancellation;
}

/** Sends what cancels a signature. Returns false if other owners have to sign that first. */
async function send(kept: Kept, account: Account, chain: Chain, client: SnapClient): Promise<boolean> {
  const address = account.address as Address;
  const cancellation = cancellationBy(account, kept);
  switch (cancellation.kind) {
    case 'calls':
      return sendOwnCalls(cancellation.calls, account, chain, client);
    case 'signature': {
      await client.useAccount(address);
      await client.useChain(hexChainOf(chain.chainId));
      const signature = await client.dapp('eth_signTypedData_v4', [address, cancellation.data]);
      return sendOwnCalls([cancellation.callOf(signature)], account, chain, client);
    }
    case 'transaction': {
      await client.useAccount(address);
      await client.useChain(hexChainOf(chain.chainId));
      const hash = await client.dapp('eth_sendTransaction', [{ from: address, to: address, value: '0x0' }]);
      await waitForTransactionReceipt(nodeOf(chain), { hash });
      return true;
    }
    case 'none':
      throw new Error(cancellation.why);
  }
}

/**
 * Cancels a signature, and looks whether the network agrees. Keystead shows what it signs and sends, and asks first.
 *
 * @returns What became of it, in words.
 * @throws If the person rejects it, it fails, or the signature counts nevertheless.
 */
export async function cancelSignature(kept: Kept, account: Account, chain: Chain, client: SnapClient): Promise<string> {
  if (!(await send(kept, account, chain, client)))
    return 'Other owners have to sign this first. It waits in Proposals.';
  const { node, signatures } = await readSignatures(account, chain, client);
  const after = signatures.find(({ kept: one }) => isSameKept(one, kept))?.status;
  if (after !== undefined && after !== 'gone')
    throw new Error('The network included it, but the signature still counts. Check again, and cancel it once more.');
  return `Cancelled: ${node} says that nobody can use it any more.`;
}
