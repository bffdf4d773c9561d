import { servicesOf } from '../network/services';
import { inOrder } from '../../clients/in-order';
import { InvalidParamsError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { SITE_READS, type SiteRead } from '../../core/methods/node-reads';
import { chainIdOf } from '../../core/schemas/chain';
import { isWithin } from '../../core/schemas/json-rpc';
import { bytesStruct } from '../../core/structs/hex';
import { lookUp } from './look-up';
import { chainOfSite } from '../sites/network-of-site';
import { type Site } from '../sites/site';
import { nodeAnswer } from './node-answer';
import { type BatchDeps } from './deps';
import { ListStruct, parse, unknown } from '../../core/structs/struct';

/** The maximum size of the parameters, in characters of JSON. */
const MAX_PARAMS = 1_000_000;
/** The maximum nesting depth of the parameters. No read method needs more than six levels. */
const MAX_DEPTH = 64;

const ABOUT_TRANSACTIONS: readonly string[] = ['eth_getTransactionByHash', 'eth_getTransactionReceipt'];

/**
 * Maps the hash of a user operation of this site to the transaction that included it. A dapp that sent it with
 * `eth_sendTransaction` knows only the operation's hash.
 *
 * @returns The transaction hash (other hashes are returned unchanged), and whether the operation failed; undefined
 * while the operation is pending.
 */
async function transactionBehind(
  hash: Hex,
  site: Site,
  deps: Pick<BatchDeps, 'batches' | 'chains'>,
): Promise<{ readonly hash: Hex; readonly isFailed: boolean } | undefined> {
  const batch = (await deps.batches.read()).find(
    ({ origin, sent }) => origin === site.origin && sent.as === 'operation' && sent.hash === hash.toLowerCase(),
  );
  if (batch === undefined) return { hash, isFailed: false };
  const receipt = (await lookUp(batch, deps)).receipts?.[0];
  return receipt && { hash: receipt.transactionHash, isFailed: receipt.status === '0x0' };
}

/** @returns Whether it is a read-only method that is forwarded to the node of a site's chain. */
export const isSiteRead = (name: string): name is SiteRead => (SITE_READS as readonly string[]).includes(name);

/** Asks the node of a connected site's chain. */
export async function readFromNode(
  name: SiteRead,
  params: unknown,
  site: Site,
  deps: Pick<BatchDeps, 'accounts' | 'batches' | 'chains' | 'permissions'>,
): Promise<unknown> {
  let list = parse(ListStruct, params === undefined ? [] : params, 'params');
  if (!isWithin(MAX_DEPTH, list)) throw new InvalidParamsError('params', `must be at most ${MAX_DEPTH} levels deep`);
  if (JSON.stringify(list).length > MAX_PARAMS)
    throw new InvalidParamsError('params', `must be at most ${MAX_PARAMS} characters of JSON`);
  const configuration = await chainOfSite(site, deps);
  const { node } = servicesOf(configuration);
  let isFailed = false;
  const [hash] = list;
  if (ABOUT_TRANSACTIONS.includes(name) && bytesStruct(32).is(hash)) {
    const behind = await transactionBehind(hash, site, deps);
    if (behind === undefined) return null;
    list = [behind.hash];
    ({ isFailed } = behind);
  }
  const [, answer] = await inOrder([
    // A node may serve another chain than when it was set up.
    node.assertChain(chainIdOf(configuration.chainId)),
    node.ask(name, list, unknown()),
  ]).catch((error: unknown) => {
    throw nodeAnswer(error);
  });
  // The transaction that includes an operation succeeds even if the operation fails.
  const isReceipt = name === 'eth_getTransactionReceipt' && typeof answer === 'object' && answer !== null;
  return isFailed && isReceipt ? { ...answer, status: '0x0' } : answer;
}
