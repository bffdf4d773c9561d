import { type Hex, quantityToHex } from '../../../core/eth/bytes';
import { isSmart } from '../../account/account';
import { type Capabilities } from '../../../core/methods/types';
import { GetCapabilitiesStruct } from '../../../core/schemas/calls';
import { chainIdOf } from '../../../core/schemas/chain';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { upgradeOf } from '../../account/delegations/upgrade';
import { servicesOf, takesOperations } from '../../network/services';
import { parse } from '../../../core/structs/struct';
import { isOn } from '../network-of-site';
import { accountAt } from '../site';
import { type ParamsOf, type SiteMethodDeps, type RpcMethod } from './method';

/** A smart account executes calls atomically, and accepts any paymaster service (ERC-7677). */
const OF_SMART_ACCOUNTS = { atomic: { status: 'supported' }, paymasterService: { supported: true } };
const OF_OTHERS = { atomic: { status: 'unsupported' } };

/**
 * What an externally owned account can do depends on its network and its delegate (EIP-7702).
 *
 * @returns undefined if the node does not answer: what is not known is not unsupported.
 */
async function ofEoa(
  address: Hex,
  configuration: ChainConfiguration,
  { delegates }: Pick<SiteMethodDeps, 'delegates'>,
) {
  const { hints: node } = servicesOf(configuration);
  const upgrade = await upgradeOf(address, configuration, { delegates, node }).catch(() => undefined);
  if (upgrade === undefined) return undefined;
  if (!('account' in upgrade)) return OF_OTHERS;
  const { entryPoint = configuration.entryPoint } = upgrade.account.kind;
  const isSponsorable = await takesOperations(configuration, entryPoint);
  return { atomic: { status: upgrade.status }, ...(isSponsorable && { paymasterService: { supported: true } }) };
}

/**
 * `wallet_getCapabilities` (EIP-5792): the capabilities of an account on each configured chain that it is on, limited
 * to the requested chains, if any. A chain whose node does not answer is left out.
 *
 * @throws {UnauthorizedError} If the account is not connected to the site.
 */
export const walletGetCapabilities: RpcMethod<'wallet_getCapabilities'> = async (params, site, deps) => {
  const [address, wanted]: ParamsOf<'wallet_getCapabilities'> = parse(GetCapabilitiesStruct, params, 'params', [
    'address',
    'chainIds',
  ]);
  const entry = accountAt(address, site);
  const asked = wanted?.map((chain) => BigInt(chain));
  const configured = (await deps.chains.list())
    // A smart account sends through a bundler.
    .filter(({ bundlerUrl }) => !isSmart(entry) || bundlerUrl !== undefined)
    .filter(({ chainId }) => isOn(entry, chainId))
    .filter(({ chainId }) => asked?.includes(chainIdOf(chainId)) ?? true);
  const capabilities = await Promise.all(
    configured.map(async (configuration) => [
      quantityToHex(chainIdOf(configuration.chainId)),
      isSmart(entry) ? OF_SMART_ACCOUNTS : await ofEoa(entry.account.address, configuration, deps),
    ]),
  );
  return Object.fromEntries(capabilities.filter(([, known]) => known !== undefined)) as Record<Hex, Capabilities>;
};
