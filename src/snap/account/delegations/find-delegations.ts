import { delegateIn } from '../../../core/eth/authorization';
import { type Hex } from '../../../core/eth/bytes';
import { type Delegation } from '../../../core/methods/results';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { servicesOf } from '../../network/services';
import { allowedDelegate } from './allowed-delegate';
import { type DelegateRepository } from './repository';
import { hasItsCode } from './upgrade';

/**
 * Asks the node of a network what an account is delegated to (EIP-7702), in at most 3 seconds.
 *
 * @returns undefined if it is not delegated, or if the node does not respond.
 */
export async function delegationOf(
  account: Hex,
  configuration: ChainConfiguration,
  delegates: DelegateRepository,
): Promise<Pick<Delegation, 'delegate' | 'isKnown'> | undefined> {
  const { hints } = servicesOf(configuration);
  const delegate = delegateIn(await hints.code(account).catch(() => '0x' as const));
  if (delegate === undefined) return undefined;
  const allowed = await allowedDelegate(configuration.chainId, delegate, delegates);
  const isKnown = allowed !== undefined && (await hasItsCode(allowed, hints).catch(() => false));
  return { delegate, isKnown };
}

/** Each pair of an account and a network takes a request. */
const MAX_LOOK_UPS = 100;

/**
 * Asks the nodes what accounts are delegated to. Nodes that do not respond are left out.
 *
 * @param accounts - The addresses of externally owned accounts.
 */
export async function findDelegations(
  accounts: readonly Hex[],
  configured: readonly ChainConfiguration[],
  delegates: DelegateRepository,
): Promise<Delegation[]> {
  const pairs = configured.flatMap((configuration) => accounts.map((account) => ({ account, configuration })));
  const found = await Promise.all(
    pairs.slice(0, MAX_LOOK_UPS).map(async ({ account, configuration }) => {
      const delegation = await delegationOf(account, configuration, delegates);
      return delegation === undefined ? [] : [{ account, chainId: configuration.chainId, ...delegation }];
    }),
  );
  return found.flat();
}
