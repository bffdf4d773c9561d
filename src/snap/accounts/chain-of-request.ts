import { operationChain } from '../networks/operation-chain';
import { InvalidParamsError } from '../../core/errors';
import { type OperationChain, type SmartAccount } from '../methods/user-operation-context';
import { chainIdOf, chainNameOf, type ChainName } from '../../core/schemas/chain';
import { type SmartAccountEntry } from './account';
import { type AccountDeps } from './deps';

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
  { chainId: wanted, caller }: { readonly chainId: bigint | undefined; readonly caller: string },
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
