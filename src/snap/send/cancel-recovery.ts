import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { NotFoundError } from '../../core/errors';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { isSmart } from '../account/account';
import { smartAccountOf } from '../account/smart-account';
import { type LookDeps } from '../account/recoveries/look';
import { isModule } from '../account/recoveries/repository';
import { type BatchDeps } from './deps';
import { sendOperation, type SentOperation } from './send-operation';
import { newBatchId, type OnBroadcast, sendRecorded } from './send-recorded';

/** `cancelRecovery()` of the module. */
const CANCEL = '0x0ba234d6';

/** A recovery of an account, on a network, through a module. */
export type RecoveryPlace = { readonly chainId: ChainName; readonly address: Hex; readonly module: Hex };

/**
 * Cancels a recovery of a Safe in a user operation, after the user agreed. It is recorded like calls of a site, and
 * does not wait for other requests of the account, or for their dialogs, because a site could hold them up.
 *
 * @param origin - Who asks: a page, or {@link HOME_PAGE}.
 * @returns The hash of the user operation.
 * @throws {UserRejectedError} If the user rejects it. Nothing was signed then.
 * @throws {NotFoundError} If the account or the network no longer exists, or the account has no such module.
 */
export async function cancelRecovery(
  { address, chainId, module, origin }: RecoveryPlace & { readonly origin: string },
  deps: BatchDeps & Pick<LookDeps, 'recoveries'>,
): Promise<Hex> {
  const entries = (await deps.accounts.entries()).filter((entry) => isSmart(entry));
  const entry = entries.find(({ account }) => isSameAddress(account.address, address));
  const configuration = await deps.chains.find(chainIdOf(chainId));
  if (entry === undefined || configuration === undefined)
    throw new NotFoundError('The account or the network no longer exists.');
  const known = await deps.recoveries.of(entry.account.address);
  if (!known.some((one) => isModule(one) && one.chainId === chainId && isSameAddress(one.module, module)))
    throw new NotFoundError('module: the account has no such recovery module on this network.');
  const batch = { id: newBatchId(), origin, account: entry.account.address, chainId, calls: 1 };
  const { hash } = await sendRecorded(batch, deps, (onBroadcast: OnBroadcast<SentOperation>) =>
    sendOperation(
      [{ to: module, value: 0n, data: CANCEL }],
      { entry, account: smartAccountOf(entry) },
      { configuration, fieldOf: (_index, member) => member },
      { origin, isOwnPage: true, consent: deps.consentAtOnce, vouchedFor: [module] },
      onBroadcast,
      // The dialogs of other requests ask to reject them. This one has to be approved.
      { ...deps, recoveriesOf: () => Promise.resolve([]) },
    ),
  );
  return hash;
}
