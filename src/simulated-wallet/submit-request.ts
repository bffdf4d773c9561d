import type { KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { RpcError, unauthorized } from './rpc-error';
import { type SimulatedWallet } from './wallet';

/**
 * Sends `keyring_submitRequest` as MetaMask does: from `metamask`, without the dapp's origin.
 *
 * @param scope - `eip155:<chain>`, or '' where MetaMask sends none.
 * @returns The result of the account method.
 * @throws {RpcError} The snap's error; 4100 if the account does not have the method; -32603 if the snap leaves the
 * request pending.
 */
export async function submitRequest(
  wallet: SimulatedWallet,
  account: KeyringAccount,
  scope: string,
  method: string,
  params: readonly Json[],
): Promise<Json> {
  if (!(account.methods as readonly string[]).includes(method))
    throw unauthorized(`The account ${account.address} does not have ${method}.`);
  const answer = (await wallet.callSnap('onKeyringRequest', 'metamask', 'keyring_submitRequest', {
    id: crypto.randomUUID(),
    origin: 'metamask',
    scope,
    account: account.id,
    request: { method, params: [...params] },
  })) as { readonly pending?: boolean; readonly result?: Json };
  if (answer.pending !== false || answer.result === undefined)
    throw new RpcError(-32603, 'The snap did not answer the request at once.');
  return answer.result;
}
