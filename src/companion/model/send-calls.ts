import { type Address, toHex } from 'viem';
import { getCallsStatus, sendCalls } from 'viem/actions';

import { type Call } from '../../core/erc4337/user-operation';
import { hasCode, isUnanswered, messageOf } from './errors';
import { viemChainOf } from './node';
import { type SnapClient } from './snap-client';
import { type Account, type Chain } from './types';
import { hexChainOf } from './units';
import { walletOf } from './wallet-client';

/** The code of EIP-5792 for an id under which nothing was sent. */
const UNKNOWN_ID = 5730;

/** Sending failed, and Keystead does not say whether anything was sent. */
export class UnsureError extends Error {}

/**
 * Has Keystead send calls of an account that this page may use. It shows them and asks first. Whatever goes wrong
 * meanwhile, Keystead is asked whether it has handed them over, because the id is chosen here.
 *
 * @returns The id of calls that were sent, or may have been: their status says more.
 * @throws {UnsureError} If its dialog may still be open, or it cannot be asked what became of them.
 * @throws Why nothing was sent.
 */
export async function sendCallsFrom(
  { address }: Account,
  calls: readonly Call[],
  chain: Chain,
  client: SnapClient,
): Promise<string> {
  await client.useChain(hexChainOf(chain.chainId));
  const wallet = walletOf(client);
  const id = toHex(crypto.getRandomValues(new Uint8Array(32)));
  try {
    await sendCalls(wallet, { id, account: address as Address, chain: viemChainOf(chain), calls: [...calls] });
  } catch (error) {
    if (isUnanswered(error)) throw new UnsureError(messageOf(error));
    const known = await getCallsStatus(wallet, { id }).catch((refusal: unknown) => refusal);
    if (hasCode(known, UNKNOWN_ID)) throw error;
    if (known instanceof Error) throw new UnsureError(messageOf(error));
  }
  return id;
}
