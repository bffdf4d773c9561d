import { type Client, createClient, custom, type CustomTransport } from 'viem';

import { createKeysteadProvider } from '../../provider';
import { type SnapClient } from './snap-client';

const transports = new WeakMap<SnapClient, CustomTransport>();

/** @returns The transport that any dapp would use: the Keystead provider, which viem takes as it is. */
function transportOf(client: SnapClient): CustomTransport {
  const { snapId, wallet } = client;
  const made =
    transports.get(client) ??
    custom(createKeysteadProvider({ snapId: snapId as `npm:${string}`, wallet: wallet.provider }), { retryCount: 0 });
  transports.set(client, made);
  return made;
}

/** @returns A viem client that signs and sends with the accounts of the snap. */
export const walletOf = (client: SnapClient): Client<CustomTransport> =>
  createClient({ transport: transportOf(client), pollingInterval: 1000 });
