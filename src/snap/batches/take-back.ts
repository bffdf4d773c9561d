import { delegateIn } from '../../core/eth/authorization';
import { isSameAddress, ZERO_ADDRESS } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { NotFoundError } from '../../core/errors';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { type EoaEntry, isSmart } from '../accounts/account';
import { type SigningDeps } from '../accounts/sign-request';
import { servicesOf } from '../networks/services';
import { type SendDeps } from './deps';
import { newBatchId } from './new-id';
import { signOwnCalls } from './send-own-calls';
import { type OnBroadcast, sendRecorded } from './send-recorded';
import { broadcast, type SentTransactions } from './send-transactions';

/** The dependencies of taking a delegation back. */
export type TakeBackDeps = SigningDeps & Pick<SendDeps, 'batches' | 'scheduleLookUp'>;

/**
 * Takes the delegation of an externally owned account back on a network (EIP-7702), after the user agreed: a transaction to
 * itself, with an authorization for the zero address. It works for any delegate, and is recorded like calls of a site. It does not
 * wait for other requests of the account, because a site could hold them up.
 *
 * @param origin - Who asks: a page, or {@link HOME_PAGE}.
 * @returns The hash of the transaction, or undefined if the account is not delegated there.
 * @throws {UserRejectedError} If the user rejects it. Nothing was signed then.
 */
export async function takeBack(
  { address, chainId, origin }: { readonly address: Hex; readonly chainId: ChainName; readonly origin: string },
  deps: TakeBackDeps,
): Promise<Hex | undefined> {
  const stored = (await deps.accounts.entries()).find(
    (entry): entry is EoaEntry => !isSmart(entry) && isSameAddress(entry.account.address, address),
  );
  const configuration = await deps.chains.find(chainIdOf(chainId));
  if (stored === undefined || configuration === undefined)
    throw new NotFoundError('The account or the network no longer exists.');
  const { account } = stored;
  const { node } = servicesOf(configuration);
  const delegate = delegateIn(await node.code(account.address));
  if (delegate === undefined) return undefined;
  const calls = { data: '0x', codeBefore: delegate, delegate: ZERO_ADDRESS } as const;
  const batch = { id: newBatchId(), origin, account: account.address, chainId, calls: 1 };
  const { items } = await sendRecorded(batch, deps, async (onBroadcast: OnBroadcast<SentTransactions>) => {
    const { signed, explanation } = await signOwnCalls(calls, stored, configuration, { origin, caller: origin }, deps);
    return broadcast([signed], [explanation], stored, node, onBroadcast, deps);
  });
  return items[0]?.hash;
}
