import { latestState, type LedgerNode } from '../../../clients/ledger-node';
import { KeysteadError } from '../../../core/errors';
import { statusesAt } from '../../../core/ledger/signed/status';
import { chainIdOf, type ChainName } from '../../../core/schemas/chain';
import { type SignedRepository } from '../signed/repository';

type CheckDeps = {
  readonly signed: SignedRepository;
  readonly nodeOf: (chainId: bigint) => LedgerNode;
};

/**
 * Asks the node of a network which signatures were used or cancelled, and notes its word.
 *
 * @returns Why it said nothing; undefined if it answered.
 */
export async function checkSigned(chainId: ChainName, { signed, nodeOf }: CheckDeps): Promise<string | undefined> {
  const node = nodeOf(chainIdOf(chainId));
  // One that names no network counts on the others, whatever this node says.
  const own = (await signed.read()).filter((kept) => kept.chainId === chainId);
  try {
    const state = await latestState(node);
    for (const account of new Set(own.map((kept) => kept.account))) {
      const kept = own.filter((one) => one.account === account);
      const statuses = await statusesAt(kept, account, state);
      for (const [at, { hash }] of kept.entries()) {
        const status = statuses[at];
        if (status === 'gone' || status === 'counts')
          await signed.note(account, hash, status === 'gone' ? node.title : undefined);
      }
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof KeysteadError)) throw error;
    return error.message;
  }
}
