import { type Json } from '@metamask/snaps-sdk';

import { InvalidParamsError, MethodNotSupportedError } from '../../core/errors';
import { chainIdOf, chainNameOf, type ChainName } from '../../core/schemas/chain';
import { foreignDelegation, upgradeOf } from './delegations/upgrade';
import { type UnsignedRequest } from './methods/define-user-operation-method';
import { type UserOperationContext } from './methods/user-operation-context';
import { type OperationChain, type SmartAccount, operationChain } from '../network/operation-chain';
import { servicesOf } from '../network/services';
import { type AccountEntry, assertAccount, type EoaEntry, isSmart, type SmartAccountEntry } from './account';
import { type AccountDeps } from './deps';
import { smartAccountOf } from './smart-account';

/** The caller of the snap, `metamask` or a site, and the network that its request names, if any. */
type Caller = { readonly chainId: bigint | undefined; readonly caller: string };

/** A request may omit the chain if the account is on a single chain. */
function chainIdFor({ account }: SmartAccountEntry, wanted: bigint | undefined): bigint {
  const scopes = account.scopes as readonly ChainName[];
  const [only, ...others] = scopes;
  const chainId = wanted ?? (only !== undefined && others.length === 0 ? chainIdOf(only) : undefined);
  if (chainId === undefined || !scopes.includes(chainNameOf(chainId)))
    throw new InvalidParamsError('scope', `must be one of the account's chains: ${scopes.join(', ')}`);
  return chainId;
}

/**
 * The chain of a smart account's request, with its services.
 *
 * @throws {InvalidParamsError} If the scope is not one of the account's chains, or is not set up.
 */
export async function chainOfRequest(
  entry: SmartAccountEntry,
  account: SmartAccount,
  { chainId: wanted, caller }: Caller,
  { chains, prepared }: Pick<AccountDeps, 'chains' | 'prepared'>,
): Promise<OperationChain> {
  const chainId = chainIdFor(entry, wanted);
  const configuration = await chains.find(chainId);
  if (configuration === undefined)
    throw new InvalidParamsError(
      'scope',
      `must be a network that is set up in Keystead; ${chainNameOf(chainId)} is not`,
    );
  return operationChain(configuration, account, { ledger: prepared, caller });
}

/** An externally owned account, as the delegate that it has or can have on the network makes it (EIP-7702). */
async function delegatedAccount(
  { account: { address } }: EoaEntry,
  { chainId, caller }: Caller,
  { chains, delegates, prepared }: Pick<AccountDeps, 'chains' | 'delegates' | 'prepared'>,
): Promise<UserOperationContext> {
  const configuration = chainId === undefined ? undefined : await chains.find(chainId);
  if (configuration === undefined)
    throw new InvalidParamsError('scope', 'must be a network that is set up in Keystead');
  const { node } = servicesOf(configuration);
  const upgrade = await upgradeOf(address, configuration, { delegates, node });
  if (upgrade.status === 'foreign') throw foreignDelegation(upgrade.delegate);
  if (upgrade.status === 'unsupported')
    throw new MethodNotSupportedError(
      'request.method: a standard account has user operations only where it can be upgraded (EIP-7702), and this network does not allow that',
    );
  const { account } = upgrade;
  const chain = operationChain(configuration, account, { ledger: prepared, caller });
  return { account, chain: () => Promise.resolve(chain) };
}

/**
 * The account of a user operation, and its network.
 *
 * @throws {InvalidParamsError} If an externally owned account is on no network that is set up.
 * @throws {MethodNotSupportedError} If it cannot have user operations on the network.
 */
export async function senderOf(
  entry: AccountEntry,
  caller: Caller,
  deps: Pick<AccountDeps, 'chains' | 'delegates' | 'prepared'>,
): Promise<UserOperationContext> {
  if (!isSmart(entry)) return delegatedAccount(entry, caller, deps);
  const account = smartAccountOf(entry);
  return { account, chain: () => chainOfRequest(entry, account, caller, deps) };
}

/**
 * Runs a valid request that signs nothing, so nobody is asked: prepares, patches or decodes a user operation.
 *
 * @returns The method's result, as JSON.
 * @throws {InvalidParamsError} If the request is invalid; names the field and the rule.
 */
export async function runUnsignedRequest(
  { account, run }: UnsignedRequest<Json>,
  entry: AccountEntry,
  caller: Caller,
  deps: Pick<AccountDeps, 'chains' | 'delegates' | 'prepared'>,
): Promise<Json> {
  assertAccount(account, entry);
  return run(await senderOf(entry, caller, deps));
}
