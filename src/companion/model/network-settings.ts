import { KNOWN_NETWORKS } from '../../core/networks/known';
import { type Chain } from './types';
import { chainIdOf } from './units';

/** The networks that Keystead knows by name, for a list to choose from. */
export const NETWORK_CHOICES = [...KNOWN_NETWORKS]
  .map(([chainId, { name }]) => ({ value: name, label: `Chain ${chainId}` }))
  .sort((a, b) => a.value.localeCompare(b.value));

/**
 * @param text - The name of a network in the list, whatever its case, or a chain ID.
 * @throws If it is neither. A name is never guessed, because similar names are other networks.
 */
export function chainIdIn(text: string): Chain['chainId'] {
  if (/^(?:eip155:)?\d{1,20}$/u.test(text)) return chainIdOf(text) as Chain['chainId'];
  const [found] = [...KNOWN_NETWORKS].find(([, { name }]) => name.toLowerCase() === text.toLowerCase()) ?? [];
  if (found === undefined)
    throw new Error('Network: choose one from the list, or enter its chain ID, such as 1 for Ethereum');
  return chainIdOf(String(found)) as Chain['chainId'];
}

/** The settings of a form: what was left empty is not set. */
const FIELDS = [
  ...(['rpcUrl', 'secondRpcUrl', 'bundlerUrl', 'entryPointVersion', 'paymasterUrl'] as const),
  ...(['name', 'symbol', 'explorerUrl'] as const),
];

/**
 * @param before - The network that is edited; undefined for a new one. It stays the same network. What the form does
 * not have is kept, such as the context of the paymaster.
 * @returns The parameters of `keystead_setChain`.
 * @throws If the network is not known by its name, or is not the one that is edited.
 */
export function networkSettings(
  { network = '', ...values }: Readonly<Record<string, string>>,
  before: Chain | undefined,
): Readonly<Record<string, unknown>> {
  const given = FIELDS.flatMap((field) => (values[field] ? [[field, values[field]] as const] : []));
  if (before === undefined) return { chainId: chainIdIn(network), ...Object.fromEntries(given) };
  if (network !== '' && chainIdIn(network) !== before.chainId)
    throw new Error('Network: must stay the same. To use another network, add it');
  const { nodeFrom: _vouchedFor, entryPoint, ...kept } = before;
  const others = Object.entries(kept).filter(([name]) => !FIELDS.includes(name as (typeof FIELDS)[number]));
  // An entry point and its factory belong to their version.
  const isSameVersion = values.entryPointVersion === before.entryPointVersion;
  return {
    ...Object.fromEntries(others.filter(([name]) => isSameVersion || name !== 'factory')),
    ...(isSameVersion && entryPoint !== undefined && { entryPoint }),
    ...Object.fromEntries(given),
  };
}
