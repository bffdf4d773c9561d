import { randomUUID } from 'node:crypto';

import type { KeyringAccount } from '@metamask/keyring-api';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';
import { installSnap } from '@metamask/snaps-simulation';

/** A snap running in MetaMask's Snaps runtime in this process, with a simulated wallet around it. */
export type EmbeddedSnap = {
  /** @throws With the snap's message if it refuses. */
  readonly createAccount: () => Promise<KeyringAccount>;
  /**
   * Sends a signing request as the wallet does.
   *
   * @param options - `approve` waits for the snap's dialog, if there is one, and approves it.
   * @throws With the snap's message if it refuses.
   */
  readonly sign: <T>(
    account: KeyringAccount,
    method: string,
    params: readonly unknown[],
    options?: { readonly scope?: string; readonly approve?: boolean },
  ) => Promise<T>;
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

  const request = (method: string, params: Json) =>
    snap.onKeyringRequest({ origin: 'metamask', method, params: params as Record<string, Json> });
  const resultOf = ({ response }: { readonly response: unknown }): Json | undefined => {
    const { error, result } = response as Answer;
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const sign: EmbeddedSnap['sign'] = async (account, method, params, { scope = '', approve = false } = {}) => {
    const pending = request('keyring_submitRequest', {
      id: randomUUID(),
      origin: 'metamask',
      scope,
      account: account.id,
      request: { method, params: params as Json[] },
    });
    if (approve) {
      const first = await Promise.race([pending, pending.getInterface()]);
      if ('ok' in first) await first.ok();
    }
    return (resultOf(await pending) as { result: never }).result;
  };
  return {
    createAccount: async () =>
      resultOf(await request('keyring_createAccount', { options: {} })) as unknown as KeyringAccount,
    sign,
    stop: () => snap.executionService.terminateAllSnaps(),
  };
}
