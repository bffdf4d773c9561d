import { getCallsStatus } from 'viem/actions';

import { type Call } from '../../core/erc4337/user-operation';
import { isWaitingForOwners, PENDING } from './calls-status';
import { sendCallsFrom } from './send-calls';
import { type SnapClient } from './snap-client';
import { type Account, type Chain } from './types';
import { walletOf } from './wallet-client';

/** Milliseconds between two looks at the calls. */
const PAUSE = 1000;
/** The status of EIP-5792 of calls that succeeded. */
const CONFIRMED = 200;

/**
 * Has an account make calls in one operation, and waits until the network has included it. Keystead shows them and asks
 * first.
 *
 * @returns Whether they were made; otherwise other owners of the account have to sign first.
 * @throws If the person rejects them, or they failed.
 */
export async function sendOwnCalls(
  calls: readonly Call[],
  account: Account,
  chain: Chain,
  client: SnapClient,
): Promise<boolean> {
  await client.useAccount(account.address);
  const id = await sendCallsFrom(account, calls, chain, client);
  const wallet = walletOf(client);
  for (;;) {
    const status = await getCallsStatus(wallet, { id });
    if (status.statusCode === CONFIRMED) return true;
    if (isWaitingForOwners(status)) return false;
    if (status.statusCode !== PENDING) throw new Error('The network did not carry this out. Nothing changed.');
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
