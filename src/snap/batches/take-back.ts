import { delegateIn } from '../../core/eth/authorization';
import { isSameAddress, ZERO_ADDRESS } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { NotFoundError } from '../../core/errors';
import { sendTransaction } from '../../clients/transactions';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { type EoaEntry, isSmart } from '../accounts/account';
import { type SigningDeps } from '../accounts/sign-request';
import { servicesOf } from '../networks/services';
import { signOwnCalls } from './send-own-calls';

/**
 * Takes the delegation of an externally owned account back on a network (EIP-7702), after the user agreed: a transaction to
 * itself, with an authorization for the zero address. It works for any delegate.
 *
 * @param origin - Who asks: a page, or {@link HOME_PAGE}.
 * @returns The hash of the transaction, or undefined if the account is not delegated there.
 * @throws {UserRejectedError} If the user rejects it. Nothing was signed then.
 */
export async function takeBack(
  { address, chainId, origin }: { readonly address: Hex; readonly chainId: ChainName; readonly origin: string },
  deps: SigningDeps,
): Promise<Hex | undefined> {
  const stored = (await deps.accounts.entries()).find(
    (entry): entry is EoaEntry => !isSmart(entry) && isSameAddress(entry.account.address, address),
  );
  const configuration = await deps.chains.find(chainIdOf(chainId));
  if (stored === undefined || configuration === undefined)
    throw new NotFoundError('The account or the network no longer exists.');
  const { node } = servicesOf(configuration);
  const delegate = delegateIn(await node.code(stored.account.address));
  if (delegate === undefined) return undefined;
  const calls = { data: '0x', codeBefore: delegate, delegate: ZERO_ADDRESS } as const;
  const { signed } = await signOwnCalls(calls, stored, configuration, { origin, caller: origin }, deps);
  return sendTransaction(node, signed.raw);
}
