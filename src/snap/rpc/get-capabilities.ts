import { quantityToHex } from '../../core/eth/bytes';
import { isSmart } from '../accounts/account';
import { GetCapabilitiesStruct } from '../../core/schemas/calls';
import { chainIdOf } from '../../core/schemas/chain';
import { parse } from '../../core/schemas/struct';
import { isOn } from '../permissions/network-of-site';
import { accountAt } from '../permissions/site';
import { forConnected } from './method';

/** A smart account executes calls atomically, and accepts any paymaster service (ERC-7677). */
const OF_SMART_ACCOUNTS = { atomic: { status: 'supported' }, paymasterService: { supported: true } };
const OF_OTHERS = { atomic: { status: 'unsupported' } };

/**
 * `wallet_getCapabilities` (EIP-5792): the capabilities of an account on each configured chain that it is on, limited
 * to the requested chains, if any.
 *
 * @throws {UnauthorizedError} If the account is not connected to the site.
 */
export const walletGetCapabilities = forConnected(async (params, site, { chains }) => {
  const [address, wanted] = parse(GetCapabilitiesStruct, params, 'params', ['address', 'chainIds']);
  const stored = accountAt(address, site);
  const asked = wanted?.map((chain) => BigInt(chain));
  const names = (await chains.list())
    // A smart account sends through a bundler.
    .filter(({ bundlerUrl }) => !isSmart(stored) || bundlerUrl !== undefined)
    .map(({ chainId }) => chainId)
    .filter((name) => isOn(stored, name))
    .filter((name) => asked?.includes(chainIdOf(name)) ?? true);
  const capabilities = isSmart(stored) ? OF_SMART_ACCOUNTS : OF_OTHERS;
  return Object.fromEntries(names.map((name) => [quantityToHex(chainIdOf(name)), capabilities]));
});
