import { latestState, type LedgerNode, ledgerSource } from '../../../clients/ledger-node';
import { within } from '../../../clients/within';
import { isListed, type KnownTokens, listedToken } from '../../../core/decode/metadata/tokens';
import { quotableAgain } from '../../../core/decode/words/text';
import { ServiceFailedError } from '../../../core/errors';
import { type Hex } from '../../../core/eth/bytes';
import { type CanaryResult, tryCanary } from '../../../core/ledger/canary';
import { type Candidate, candidatesIn, mostRelevant } from '../../../core/ledger/candidates';
import { type Found, MAX_SHOWN } from '../../../core/ledger/found';
import { unpackLogs } from '../../../core/ledger/packed-logs';
import { type Permission, permissionsAt } from '../../../core/ledger/permissions';
import { NOTHING_SEARCHED, scan, type ScanProgress, type ScanState } from '../../../core/ledger/scan';
import { scanStateOf, storedScan } from '../../../core/ledger/stored-scan';
import { type NamedToken } from '../../../core/ledger/words';
import { type ChainName, chainIdOf } from '../../../core/schemas/chain';
import { type Library } from '../../explain/metadata/library';
import { readToken } from '../../network/tokens/look-up';
import { type LedgerRepository } from './repository';

/**
 * Milliseconds. MetaMask ends a snap that takes a minute for a press of a button. A search makes few more requests than
 * these, and so leaves the node to others.
 */
const SEARCH_TIME = 15_000;
const PROOF_TIME = 10_000;
const READ_TIME = 25_000;
const MAX_REQUESTS = 60;

/** The dependencies of a search. */
export type FindDeps = {
  readonly ledger: LedgerRepository;
  readonly library: Pick<Library, 'knownTokens'>;
  readonly nodeOf: (chainId: bigint) => LedgerNode;
};

/** How far a search came, and what it rests on. */
type Searched = Pick<Found, 'refusal' | 'requestsLeft' | 'canary'> & { readonly state: ScanState };

/** Searches with a limit of time and requests. */
async function limitedSearch(account: Hex, before: ScanState, node: LedgerNode): Promise<Searched> {
  let requests = 0;
  const counting: LedgerNode = {
    ...node,
    ask: (method, params, result, signal) => {
      requests++;
      return node.ask(method, params, result, signal);
    },
  };
  const seen: { last?: ScanProgress } = {};
  const search = async (ended: AbortSignal): Promise<void> => {
    for await (const progress of scan(account, ledgerSource(counting), before, ended)) {
      seen.last = progress;
      if (requests > MAX_REQUESTS) return;
    }
  };
  await within(SEARCH_TIME, search, () => undefined);
  const { state = () => before, refusal, requestsLeft = 0 }: Partial<ScanProgress> = seen.last ?? {};
  const searched = state();
  // A node that falls silent has shown nothing.
  const nothing = (): CanaryResult => ({ kind: 'none' });
  const prove = (ended: AbortSignal) =>
    tryCanary(searched.searched, unpackLogs(searched.logs), ledgerSource(node), ended);
  return {
    state: searched,
    refusal,
    requestsLeft,
    canary: await within(PROOF_TIME, prove, nothing).catch(nothing),
  };
}

/** What tokens are called: by the own list, and else by themselves, in quotation marks. */
async function tokensOf(
  permissions: readonly Permission[],
  chainId: bigint,
  node: LedgerNode,
  bundled: KnownTokens,
): Promise<Record<string, NamedToken>> {
  const addresses = new Set(
    permissions.filter(({ kind }) => kind === 'amount' || kind === 'permit2').map(({ token }) => token),
  );
  const named = await Promise.all(
    [...addresses].map(async (address): Promise<readonly [string, NamedToken][]> => {
      const own = listedToken(address, chainId, bundled);
      if (own !== undefined) return [[address, own]];
      const declared = await readToken(node, address).catch(() => undefined);
      return declared === undefined
        ? []
        : [[address, { symbol: `“${quotableAgain(declared.symbol)}”`, decimals: declared.decimals }]];
    }),
  );
  return Object.fromEntries(named.flat());
}

/**
 * Searches a network for the permissions that an account gave: the newest blocks first, from where the last search
 * stopped, until it has taken long enough.
 *
 * @param from - The first permission that is shown.
 * @throws {ServiceFailedError} If the node cannot be reached.
 */
export async function findPermissions(
  account: Hex,
  chainId: ChainName,
  from: number,
  { ledger, library, nodeOf }: FindDeps,
): Promise<Found> {
  const chain = chainIdOf(chainId);
  const node = nodeOf(chain);
  const bundled = await library.knownTokens();
  const isOwn = ({ kind, token }: Pick<Candidate, 'kind' | 'token'>): boolean =>
    kind === 'permit2' || isListed(token, chain, bundled);
  const before = await ledger.scanOf(account, chainId);
  const start = before === undefined ? NOTHING_SEARCHED : scanStateOf(before);
  const { state, ...result } = await limitedSearch(account, start, node);
  const stored = storedScan(account, chainId, state, before, isOwn);
  // What a node is not shown to find was not searched: a later search may ask another node.
  if (result.canary.kind === 'found') await ledger.keepScan(stored);
  const logs = unpackLogs(scanStateOf(stored).logs);
  const { chosen, leftOut } = mostRelevant(candidatesIn(logs, account));
  const read = async (ended: AbortSignal) => permissionsAt(chosen, logs, account, await latestState(node, ended));
  const { permissions, unread } = await within(READ_TIME, read, () => {
    throw new ServiceFailedError(
      `T${node.title.slice(1)} needs too long to say what ${chosen.length} contracts allow.`,
    );
  });
  const inOrder = [...permissions].sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  return {
    ...result,
    node: node.title,
    searched: state.searched,
    permissions: inOrder,
    from,
    unread: unread.length,
    leftOut: leftOut + stored.leftOut,
    tokens: await tokensOf(inOrder.slice(from, from + MAX_SHOWN), chain, node, bundled),
  };
}
