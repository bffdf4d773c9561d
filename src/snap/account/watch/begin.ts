import { batchedCalls } from './batched-calls';
import { InvalidParamsError, KeysteadError } from '../../../core/errors';
import { hasPlausibleChecksum } from '../../../core/eth/checksum';
import { AddressStruct } from '../../../core/schemas/address';
import { chainIdOf, type ChainName } from '../../../core/schemas/chain';
import { readWatched } from '../../../core/watch/state';
import { type WatchDeps } from './look';
import { MAX_WATCHED } from './repository';

/** What the person wrote and chose. */
export type WatchRequest = { readonly address: string; readonly chainId: ChainName };

/**
 * Begins to watch an account.
 *
 * @throws {InvalidParamsError} If it is no address, or too many are watched. Names the field and the rule.
 * @throws {ServiceFailedError} If the wallet's node does not answer, or as neither a Safe nor an account with a key.
 * @throws {ServiceRefusedError} If the node refuses.
 */
async function begin(
  { address, chainId }: WatchRequest,
  { watched, nodeOf, now }: Pick<WatchDeps, 'nodeOf' | 'now' | 'watched'>,
): Promise<void> {
  const account = address.trim();
  if (!AddressStruct.is(account)) throw new InvalidParamsError('Address', 'must be 0x and 40 hex digits');
  if (!hasPlausibleChecksum(account))
    throw new InvalidParamsError('Address', 'has a typing error: its checksum is wrong');
  const state = await readWatched(account, undefined, await batchedCalls(nodeOf(chainIdOf(chainId))));
  if (!(await watched.add(account, chainId, state, now())))
    throw new InvalidParamsError('Accounts', `must be at most ${MAX_WATCHED}: stop watching another one first`);
}

/** Begins to watch an account. @returns Why not, in words for the page; undefined if it is watched. */
export async function beginToWatch(
  request: WatchRequest,
  deps: Pick<WatchDeps, 'nodeOf' | 'now' | 'watched'>,
): Promise<string | undefined> {
  try {
    await begin(request, deps);
    return undefined;
  } catch (error) {
    if (!(error instanceof KeysteadError)) throw error;
    return error.message;
  }
}
