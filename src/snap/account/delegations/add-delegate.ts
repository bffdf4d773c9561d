import { DELEGATE_CODE_HASHES, delegateVersionOf } from '../../../core/erc4337/delegates';
import { InvalidParamsError } from '../../../core/errors';
import { networkTitle } from '../../../core/networks/network';
import { chainIdOf, toChainName } from '../../../core/schemas/chain';
import { type AddedDelegate, DelegateParamsStruct } from '../../../core/schemas/delegate';
import { parse } from '../../../core/structs/struct';
import { type Mutex } from '../../../core/mutex';
import { type ChainRepository } from '../../network/repository';
import { type Consent } from '../../wallet/dialogs';
import { consentedChange } from '../../wallet/consented-change';
import { AddDelegateScreen } from '../../screens/add-delegate';
import { checkDelegate } from './check-delegate';
import { type DelegateRepository } from './repository';

/** The dependencies of the methods that configure delegates. */
export type DelegateDeps = {
  readonly chains: ChainRepository;
  readonly consent: Consent;
  readonly delegates: DelegateRepository;
  /** Held while stored values are read and changed. */
  readonly mutations: Mutex;
};

/** Far more than anyone uses. */
const MAX_DELEGATES = 100;

/**
 * `keystead_addDelegate`: adds a contract to those that accounts may delegate to on a network (EIP-7702). Its code is
 * checked first, and shown to the user.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @returns What is stored.
 * @throws {InvalidParamsError} If a parameter is invalid or the contract fails a check; names the parameter.
 * @throws {UserRejectedError} If the user rejects the change.
 */
export async function addDelegate(params: unknown, deps: DelegateDeps, origin: string): Promise<AddedDelegate> {
  const { chains, delegates } = deps;
  const { chainId: reference, address } = parse(DelegateParamsStruct, params, 'params');
  const chainId = toChainName(reference);
  if (delegateVersionOf(address) !== undefined)
    throw new InvalidParamsError('params.address', 'must not be on the list already; Simple7702Account is');
  const configuration = await chains.find(chainIdOf(chainId));
  if (configuration === undefined)
    throw new InvalidParamsError('params.chainId', 'must be a network that is set up in Keystead');
  if ((await delegates.read()).length >= MAX_DELEGATES)
    throw new InvalidParamsError('params', `must not exceed ${MAX_DELEGATES} added delegates; remove one first`);
  const { version, codeHash, size } = await checkDelegate(configuration, address, 'params.address');
  const added: AddedDelegate = { chainId, address, entryPointVersion: version, codeHash };
  const isKnownCode = DELEGATE_CODE_HASHES[version] === codeHash;
  const change = {
    read: () => delegates.find(chainId, address),
    screen: () =>
      AddDelegateScreen({
        ...added,
        networkTitle: networkTitle(chainIdOf(chainId), configuration),
        size,
        isKnownCode,
        origin,
      }),
    store: () => delegates.put(added),
  };
  await consentedChange(change, deps);
  return added;
}
