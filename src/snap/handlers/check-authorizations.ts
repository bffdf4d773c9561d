import { transactionCount } from '../../clients/transactions';
import { type Kept } from '../../core/ledger/signed/kept';
import { type ChainRepository } from '../network/repository';
import { servicesOf } from '../network/services';
import { type SignedRepository } from '../account/signed/repository';

const MAX_LOOK_UPS = 100;

/**
 * Asks the nodes which authorizations (EIP-7702) were used or cancelled, and notes it: any transaction of the account
 * ends those for an earlier nonce. Nodes that do not respond within 3 seconds say nothing.
 *
 * @returns What is kept, with what was noted.
 */
export async function checkAuthorizations({
  signed,
  chains,
}: {
  readonly signed: SignedRepository;
  readonly chains: Pick<ChainRepository, 'list'>;
}): Promise<readonly Kept[]> {
  const [kept, configured] = await Promise.all([signed.read(), chains.list()]);
  const open = kept.filter(({ authorization, goneAt }) => authorization !== undefined && goneAt === undefined);
  if (open.length === 0) return kept;
  await Promise.all(
    open.slice(0, MAX_LOOK_UPS).map(async ({ account, authorization, chainId, hash }) => {
      const chain = configured.find((one) => one.chainId === chainId);
      if (authorization === undefined || chain === undefined) return;
      const { hints } = servicesOf(chain);
      const next = await transactionCount(hints, account, 'latest').catch(() => 0n);
      if (next > BigInt(authorization.nonce)) await signed.note(account, hash, hints.title);
    }),
  );
  return signed.read();
}
