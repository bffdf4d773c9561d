import { randomUUID } from 'node:crypto';

import type { KeyringAccount } from '@metamask/keyring-api';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';
import { installSnap } from '@metamask/snaps-simulation';

/** A snap running in MetaMask's Snaps runtime in this process, with a simulated wallet around it. */
export type EmbeddedSnap = {
  /** @throws With the snap's message if it refuses. */
  readonly createAccount: () => Promise<KeyringAccount>;
  readonly sign: <T>(account: KeyringAccount, method: string, params: readonly unknown[], scope?: string) => Promise<T>;
  readonly stop: () => Promise<void>;
};

type Answer = { readonly result?: Json; readonly error?: { readonly message: string } };

/**
 * Installs a served snap. The wallet is simulated: it accepts every account, and derives keys from a public test
 * phrase. Not for real funds.
 *
 * @param url - Where the snap is served.
 */
export async function embedSnap(url: string): Promise<EmbeddedSnap> {
  const snap = await installSnap(`local:${url}` as Parameters<typeof installSnap>[0]);
  const wallet = ({ method }: JsonRpcRequest): Json | undefined =>
    method === 'snap_manageAccounts' ? null : undefined;
  snap.mockJsonRpc(wallet);

  const send = async (method: string, params: Json): Promise<Json | undefined> => {
    const { response } = (await snap.onKeyringRequest({
      origin: 'metamask',
      method,
      params: params as Record<string, Json>,
    })) as unknown as { response: Answer };
    if (response.error !== undefined) throw new Error(response.error.message);
    return response.result;
  };
  return {
    createAccount: async () => (await send('keyring_createAccount', { options: {} })) as unknown as KeyringAccount,
    sign: async <T>(account: KeyringAccount, method: string, params: readonly unknown[], scope = '') => {
      const request = { method, params: params as Json[] };
      const answer = await send('keyring_submitRequest', {
        id: randomUUID(),
        origin: 'metamask',
        scope,
        account: account.id,
        request,
      });
      return (answer as { result: T }).result;
    },
    stop: () => snap.executionService.terminateAllSnaps(),
  };
}
