import { createClient, type Hash, http } from 'viem';
import { getUserOperationReceipt, type UserOperationReceipt } from 'viem/account-abstraction';

import { type Chain } from './types';

/** viem reports what a service does not know as an error of such a name. */
const NOT_FOUND = /^(?:Block|Transaction|TransactionReceipt|UserOperationReceipt)NotFoundError$/u;

/** @returns What is found; undefined if the service does not know it. @throws If the service does not respond. */
export async function unlessNotFound<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (NOT_FOUND.test((error as Error).name)) return undefined;
    throw error;
  }
}

/** @returns The receipt of a user operation; undefined if the network has no bundler, or it does not have one yet. */
export async function operationReceiptOf({ bundlerUrl }: Chain, hash: Hash): Promise<UserOperationReceipt | undefined> {
  if (bundlerUrl === undefined) return undefined;
  const bundler = createClient({
    transport: http(bundlerUrl, { fetchOptions: { credentials: 'omit' }, retryCount: 1 }),
  });
  return unlessNotFound(getUserOperationReceipt(bundler, { hash }));
}
