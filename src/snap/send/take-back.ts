import { type SigningDeps } from '../account/deps';
import { type NodeClient } from '../../clients/node';
import { suggestedFees } from '../../clients/transactions';
import { delegateIn } from '../../core/eth/authorization';
import { isSameAddress, ZERO_ADDRESS } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { NotFoundError } from '../../core/errors';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { type EoaEntry, isSmart } from '../account/account';
import { servicesOf } from '../network/services';
import { type BatchDeps } from './deps';
import { gasFor, signOwnCalls } from './send-own-calls';
import { newBatchId, type OnBroadcast, sendRecorded } from './send-recorded';
import { broadcast, type SentTransactions } from './send-transactions';

/**
 * Chooses who pays: the account itself if it can. A sweeper takes all that is sent to its victim, so otherwise another
 * of the user's accounts pays; anyone may carry an authorization (EIP-7702).
 *
 * @throws {NotFoundError} If no account can pay.
 */
async function payerFor(
  entry: EoaEntry,
  eoas: readonly EoaEntry[],
  chainId: bigint,
  node: NodeClient,
): Promise<EoaEntry> {
  const { address } = entry.account;
  const [fees, gas] = await Promise.all([
    suggestedFees(node),
    gasFor({ data: '0x', delegate: ZERO_ADDRESS }, address, { chainId, address }, node),
  ]);
  const enough = gas * ('gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas);
  for (const candidate of [entry, ...eoas.filter((one) => one !== entry)])
    if ((await node.balance(candidate.account.address)) >= enough) return candidate;
  throw new NotFoundError(
    'None of your accounts can pay the network fee. Send ETH to another standard account of yours, which pays then. The code of this one may pass on what it gets.',
  );
}

/**
 * Takes the delegation of an externally owned account back on a network (EIP-7702), after the user agreed: a
 * transaction to it, from itself or another account that pays, with an authorization for the zero address. It works for
 * any delegate, and is recorded like calls of a site. It does not wait for other requests of the account, because a
 * site could hold them up.
 *
 * @param origin - Who asks: a page, or {@link HOME_PAGE}.
 * @returns The hash of the transaction, or undefined if the account is not delegated there.
 * @throws {UserRejectedError} If the user rejects it. Nothing was signed then.
 * @throws {NotFoundError} If the account or the network no longer exists, or no account can pay.
 */
export async function takeBack(
  { address, chainId, origin }: { readonly address: Hex; readonly chainId: ChainName; readonly origin: string },
  deps: SigningDeps & Pick<BatchDeps, 'batches' | 'consent' | 'onApproved' | 'scheduleLookUp'>,
): Promise<Hex | undefined> {
  const eoas = (await deps.accounts.entries()).filter((entry): entry is EoaEntry => !isSmart(entry));
  const entry = eoas.find(({ account }) => isSameAddress(account.address, address));
  const configuration = await deps.chains.find(chainIdOf(chainId));
  if (entry === undefined || configuration === undefined)
    throw new NotFoundError('The account or the network no longer exists.');
  const { node } = servicesOf(configuration);
  const delegate = delegateIn(await node.code(entry.account.address));
  if (delegate === undefined) return undefined;
  const payer = await payerFor(entry, eoas, chainIdOf(chainId), node);
  const calls = { data: '0x', codeBefore: delegate, delegate: ZERO_ADDRESS } as const;
  const batch = { id: newBatchId(), origin, account: payer.account.address, chainId, calls: 1 };
  const { items } = await sendRecorded(batch, deps, async (onBroadcast: OnBroadcast<SentTransactions>) => {
    const requester = { origin, consent: deps.consent };
    const { signed, explanation } = await signOwnCalls(calls, entry, configuration, requester, deps, payer);
    return broadcast([signed], [explanation], payer, node, onBroadcast, deps);
  });
  return items[0]?.hash;
}
