import { KeysteadError, ServiceFailedError, ServiceRefusedError } from '../../core/errors';
import { whoPays } from '../../core/networks/who-pays';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type EoaEntry } from '../account/account';
import { foreignDelegation, type Upgrade, upgradeOf } from '../account/delegations/upgrade';
import { type SmartAccount } from '../network/operation-chain';
import { servicesOf, takesOperations } from '../network/services';
import { type BatchDeps } from './deps';

/** The way in which an externally owned account makes calls on a network. */
export type Execution =
  | {
      readonly as: 'operation' | 'own-transaction';
      readonly account: SmartAccount;
      readonly isUpgraded: boolean;
      /** Whether the paymaster service of the network pays. */
      readonly isSponsored: boolean;
    }
  /** One transaction for each call: because the account runs foreign code, or because the node failed. */
  | { readonly as: 'transactions'; readonly foreign?: string; readonly failure?: KeysteadError };

/**
 * Decides how an externally owned account makes calls: in a user operation if there is a bundler for it, otherwise in a
 * transaction to itself.
 *
 * @throws {ServiceFailedError} If a sponsor is wanted and the account runs foreign code.
 */
export async function executionFor(
  entry: EoaEntry,
  configuration: ChainConfiguration,
  { wantsSponsor }: { readonly wantsSponsor: boolean },
  { delegates }: Pick<BatchDeps, 'delegates'>,
): Promise<Execution> {
  const { node } = servicesOf(configuration);
  const looking = upgradeOf(entry.account.address, configuration, { delegates, node });
  // Plain transactions are possible whatever the account's code is.
  const upgrade: Upgrade | KeysteadError = await looking.catch((error: unknown) => {
    if (error instanceof ServiceFailedError || error instanceof ServiceRefusedError) return error;
    throw error;
  });
  if (upgrade instanceof KeysteadError) return { as: 'transactions', failure: upgrade };
  if (upgrade.status === 'unsupported') return { as: 'transactions' };
  if (upgrade.status === 'foreign') {
    const error: ServiceFailedError = foreignDelegation(upgrade.delegate);
    if (wantsSponsor) throw error;
    return { as: 'transactions', foreign: error.message };
  }
  const { account, status } = upgrade;
  const { entryPoint = configuration.entryPoint } = account.kind;
  const as = (await takesOperations(configuration, entryPoint)) ? 'operation' : 'own-transaction';
  return {
    as,
    account,
    isUpgraded: status === 'supported',
    isSponsored:
      whoPays({
        sending: as === 'operation' ? 'operation' : 'transaction',
        hasPaymaster: configuration.paymasterUrl !== undefined,
        signatures: 1,
      }) === 'paymaster',
  };
}

/** @returns Whether an externally owned account pays for a single call, and so sends it itself. */
export const paysItself = ({ paymasterUrl }: ChainConfiguration, hasSponsor = false): boolean =>
  whoPays({ sending: 'either', hasPaymaster: hasSponsor || paymasterUrl !== undefined, signatures: 1 }) === 'account';
