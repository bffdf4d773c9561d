import { batchedCalls } from './batched-calls';
import { KeysteadError } from '../../../core/errors';
import { networkTitle } from '../../../core/networks/network';
import { type NodeReader } from '../../../core/safe/recovery/answer';
import { chainIdOf, type ChainName } from '../../../core/schemas/chain';
import { type Change } from '../../../core/watch/changes';
import { readWatched } from '../../../core/watch/state';
import { changeWords } from '../../../core/watch/words';
import { shortAddress } from '../../../core/decode/words/names';
import { type Hex } from '../../../core/eth/bytes';
import { type WatchRepository } from './repository';

/** The method name of the event that comes every hour. */
export const WATCH_EVENT = 'watch';

/** The dependencies of looking at watched accounts. */
export type WatchDeps = {
  readonly watched: WatchRepository;
  /** @returns The wallet's node of a network, which it selects if need be. */
  readonly nodeOf: (chainId: bigint) => NodeReader;
  /** @returns The network that is selected for this snap, if the wallet says it. */
  readonly selectedNetwork: () => Promise<bigint | undefined>;
  readonly notify: (title: string, message: string) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

type News = { readonly account: Hex; readonly chainId: ChainName; readonly changes: readonly Change[] };

/** Looks at the watched accounts of a network. What the node does not answer stays as it was, with its time. */
async function lookOn(
  chainId: ChainName,
  { watched, nodeOf, now }: Pick<WatchDeps, 'nodeOf' | 'now' | 'watched'>,
): Promise<News[]> {
  const here = (await watched.read()).filter((one) => one.chainId === chainId);
  try {
    const at = await batchedCalls(nodeOf(chainIdOf(chainId)));
    const seen = here.map(async ({ account, state: before }): Promise<News> => {
      try {
        const state = await readWatched(account, before, at);
        const changes = await watched.see(account, chainId, state, now());
        // That a recovery has ended is for the page: with a notification of that, a node that lies would reassure.
        return { account, chainId, changes: changes.filter(({ kind }) => kind !== 'recovery-ended') };
      } catch (error) {
        if (!(error instanceof KeysteadError)) throw error;
        return { account, chainId, changes: [] };
      }
    });
    return await Promise.all(seen);
  } catch (error) {
    if (!(error instanceof KeysteadError)) throw error;
    return [];
  }
}

async function tell(news: readonly News[], notify: WatchDeps['notify']): Promise<void> {
  const first = news.flatMap(({ account, chainId, changes }) =>
    changes.slice(0, 1).map((change) => ({ account, chainId, ...changeWords(change) })),
  )[0];
  if (first === undefined) return;
  const accounts = news.filter(({ changes }) => changes.length > 0).length;
  const more = accounts > 1 ? ` ${accounts} watched accounts have changed.` : '';
  const where = `${shortAddress(first.account)} on ${networkTitle(chainIdOf(first.chainId))}`;
  await notify(
    first.title,
    `${first.title}, your wallet's node says: ${where}.${more} Open Keystead Insights in MetaMask.`,
  );
}

/**
 * Looks at all watched accounts, and notifies the person of what has changed. The network that is selected comes first.
 */
export async function lookAtWatched(deps: WatchDeps): Promise<void> {
  const chains = [...new Set((await deps.watched.read()).map(({ chainId }) => chainId))];
  if (chains.length === 0) return;
  const selected = await deps.selectedNetwork();
  const inOrder = chains.sort((one, other) => {
    const isFirst = (chainId: ChainName): number => (chainIdOf(chainId) === selected ? 0 : 1);
    return isFirst(one) - isFirst(other);
  });
  const news: News[] = [];
  for (const chainId of inOrder) news.push(...(await lookOn(chainId, deps)));
  await tell(news, deps.notify);
}
