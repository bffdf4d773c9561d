import { delegateIn } from '../../core/eth/authorization';
import { type Hex } from '../../core/eth/bytes';
import { type ChainName } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { servicesOf } from '../networks/services';
import { allowedDelegate } from './allowed-delegate';
import { type DelegateRepository } from './repository';
import { hasItsCode } from './upgrade';

/** What an externally owned account is delegated to on a network. */
export type FoundDelegation = {
  readonly account: Hex;
  readonly chainId: ChainName;
  readonly delegate: Hex;
  /** Whether it is on the list or was added by the user, and has its code. */
  readonly isKnown: boolean;
};

/** Each pair of an account and a network takes a request. */
const MAX_LOOK_UPS = 100;

/**
 * Asks the nodes what accounts are delegated to (EIP-7702), in at most 3 seconds. Nodes that do not respond are left out.
 *
 * @param accounts - The addresses of externally owned accounts.
 */
export async function findDelegations(
  accounts: readonly Hex[],
  configured: readonly ChainConfiguration[],
  delegates: DelegateRepository,
): Promise<FoundDelegation[]> {
  const pairs = configured.flatMap((configuration) => accounts.map((account) => ({ account, configuration })));
  const found = await Promise.all(
    pairs.slice(0, MAX_LOOK_UPS).map(async ({ account, configuration }) => {
      const { chainId } = configuration;
      const { hints } = servicesOf(configuration);
      const delegate = delegateIn(await hints.code(account).catch(() => '0x' as const));
      if (delegate === undefined) return [];
      const allowed = await allowedDelegate(chainId, delegate, delegates);
      const isKnown = allowed !== undefined && (await hasItsCode(allowed, hints).catch(() => false));
      return [{ account, chainId, delegate, isKnown }];
    }),
  );
  return found.flat();
}
