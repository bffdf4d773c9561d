import { inOrder } from '../../../clients/in-order';
import { type NodeClient } from '../../../clients/node';
import { DELEGATES, type DelegateVersion } from '../../../core/erc4337/delegates';
import { ENTRY_POINTS } from '../../../core/erc4337/entry-points';
import { DELEGATION_MARKER } from '../../../core/erc4337/packed-fields';
import { DELEGATED_KINDS } from '../../../core/erc4337/simple-account/delegated';
import { ServiceFailedError } from '../../../core/errors';
import { delegateIn } from '../../../core/eth/authorization';
import { type Hex } from '../../../core/eth/bytes';
import { chainIdOf } from '../../../core/schemas/chain';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { type SmartAccount } from '../../network/operation-chain';
import { type AllowedDelegate, allowedDelegate } from './allowed-delegate';
import { ENTRY_POINT, hashOfCode } from './check-delegate';
import { runsDelegates } from './network-support';
import { type DelegateRepository } from './repository';

/**
 * The ability of an externally owned account on a network (EIP-7702), in the words of EIP-5792:
 *
 * - `supported`: it runs the code of a contract that Keystead knows, and makes several calls at once.
 * - `ready`: it has no code, and can be upgraded.
 * - `foreign`: it runs the code of a contract that Keystead does not know, or has other code.
 * - `unsupported`: the network has no EIP-7702, or not the contract that it would run.
 */
export type Upgrade =
  | { readonly status: 'supported' | 'ready'; readonly account: SmartAccount }
  | { readonly status: 'foreign'; readonly delegate: Hex | undefined }
  | { readonly status: 'unsupported' };

const smartAccount = (address: Hex, { address: delegate, version }: AllowedDelegate): SmartAccount => ({
  address,
  kind: DELEGATED_KINDS[version],
  initCode: DELEGATION_MARKER,
  delegate,
});

/** The version of the delegate for an account that has none yet. */
const versionFor = ({ entryPointVersion }: ChainConfiguration): DelegateVersion =>
  entryPointVersion === '0.9' ? '0.9' : '0.8';

/** @returns Whether the delegate has the code that it must have. */
export async function hasItsCode({ address, version, codeHash }: AllowedDelegate, node: NodeClient): Promise<boolean> {
  const code = await node.code(address);
  if (code === '0x') return false;
  if (codeHash !== undefined) return hashOfCode(code) === codeHash;
  return (await node.callForWord(address, ENTRY_POINT, 'its entry point')) === BigInt(ENTRY_POINTS[version]);
}

/** The error for an account whose code Keystead does not know. */
export const foreignDelegation = (delegate: Hex | undefined): ServiceFailedError =>
  new ServiceFailedError(
    delegate === undefined
      ? 'The account has code that Keystead does not know. Nothing was signed.'
      : `The account runs the code of ${delegate} on this network (EIP-7702), which Keystead does not know. Take that back on Keystead's home page in MetaMask first. Nothing was signed.`,
  );

/**
 * Asks the node what an externally owned account can do on a network.
 *
 * @throws {ServiceFailedError} If the node does not respond, or serves another chain.
 */
export async function upgradeOf(
  address: Hex,
  configuration: ChainConfiguration,
  { delegates, node }: { readonly delegates: DelegateRepository; readonly node: NodeClient },
): Promise<Upgrade> {
  const { chainId } = configuration;
  const [, code] = await inOrder([node.assertChain(chainIdOf(chainId)), node.code(address)]);
  if (code !== '0x') {
    const delegate = delegateIn(code);
    const allowed = delegate && (await allowedDelegate(chainId, delegate, delegates));
    return allowed === undefined || !(await hasItsCode(allowed, node))
      ? { status: 'foreign', delegate }
      : { status: 'supported', account: smartAccount(address, allowed) };
  }
  const delegate = await allowedDelegate(chainId, DELEGATES[versionFor(configuration)], delegates);
  if (delegate === undefined || !(await hasItsCode(delegate, node)) || !(await runsDelegates(delegate, chainId, node)))
    return { status: 'unsupported' };
  return { status: 'ready', account: smartAccount(address, delegate) };
}
