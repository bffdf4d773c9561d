import { toHex } from 'viem';
import { getCallsStatus } from 'viem/actions';

import { type Call } from '../../core/erc4337/user-operation';
import { type Hex, quantityToHex } from '../../core/eth/bytes';
import { hasCode, isUnanswered, messageOf } from './errors';
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
  const chainId = hexChainOf(chain.chainId);
  await client.useChain(chainId);
  const wallet = walletOf(client);
  const id = toHex(crypto.getRandomValues(new Uint8Array(32)));
  // viem's action brings along what estimates and sends transactions, for wallets without this method.
  const request = {
    version: '2.0.0',
    id,
    chainId,
    from: address as Hex,
    atomicRequired: false,
    calls: calls.map(({ to, value, data }) => ({ to, value: quantityToHex(value), data })),
  };
  try {
    await wallet.request({ method: 'wallet_sendCalls', params: [request] }, { retryCount: 0 });
  } catch (error) {
    if (isUnanswered(error)) throw new UnsureError(messageOf(error));
    const known = await getCallsStatus(wallet, { id }).catch((refusal: unknown) => refusal);
    if (hasCode(known, UNKNOWN_ID)) throw error;
    if (known instanceof Error) throw new UnsureError(messageOf(error));
  }
  return id;
}
