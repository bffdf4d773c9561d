import { type Hash } from 'viem';

import { isSameAddress } from '../../core/eth/address';
import { type Activity } from './activity';
import { operationReceiptOf } from './look-up';
import { type HandedOver } from './sign-proposal';
import { listOf, stored } from './stored';
import { type Chain } from './types';

/** A user operation that a passkey signed and this page sent. The snap knows nothing of it. */
type Sent = HandedOver & {
  readonly account: string;
  readonly chainId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The number of calls. */
  readonly calls: number;
};

const isSent = (entry: unknown): entry is Sent => {
  const { account, chainId, at, calls, hash, isUnclear } = (entry ?? {}) as Partial<Record<keyof Sent, unknown>>;
  return (
    typeof account === 'string' &&
    typeof chainId === 'string' &&
    Number.isSafeInteger(at) &&
    Number.isSafeInteger(calls) &&
    /^0x[0-9a-f]{64}$/iu.test(String(hash)) &&
    typeof isUnclear === 'boolean'
  );
};

const all = stored('keystead.passkey-sent', listOf(isSent), []);

/** The operations that this browser remembers. */
const MAX_KEPT = 50;

/** Remembers what a passkey sent. A browser without room forgets it, and the network keeps it. */
export function keepSent(sent: Sent): void {
  try {
    all.write([sent, ...all.read()].slice(0, MAX_KEPT));
  } catch {
    // What was sent is sent.
  }
}

const statusOf = (success: boolean | undefined) => (success === undefined ? 100 : success ? 200 : 500);

/** @returns What passkeys sent from an account, the most recent first, as far as the network's bundler knows it. */
export const sentFrom = (account: string, chain: Chain): Promise<readonly Activity[]> =>
  Promise.all(
    all
      .read()
      .filter((sent) => isSameAddress(sent.account, account) && sent.chainId === chain.chainId)
      .map(async ({ hash, calls, isUnclear, ...where }): Promise<Activity> => {
        const answer = await operationReceiptOf(chain, hash).catch(() => undefined);
        const receipt = answer?.userOpHash === hash ? answer : undefined;
        const transactions: readonly Hash[] = receipt === undefined ? [] : [receipt.receipt.transactionHash];
        return {
          ...where,
          origin: location.origin,
          sent: { id: hash, calls, status: statusOf(receipt?.success), isUnclear, userOperation: hash, transactions },
        };
      }),
  );
