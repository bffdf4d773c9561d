import { servicesOf } from '../../chains/services';
import { InvalidParamsError } from '../../errors';
import { type Hex } from '../../eth/bytes';
import { bytesStruct } from '../../wire/hex';
import { lookUp } from '../batches/look-up';
import { chainOfSite } from '../chain-of-site';
import { type Site } from '../connection';
import { nodeAnswer } from '../node-answer';
import { type DoorMethod, forConnected } from './method';
import { unknown } from '../../wire/struct';

/** What is handed on to the node of the site's chain: questions that change nothing. */
const READS = [
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_maxPriorityFeePerGas',
  'eth_syncing',
  'web3_clientVersion',
] as const;
type Read = (typeof READS)[number];

/** Characters of JSON. */
const MAX_PARAMS = 1_000_000;

const ABOUT_TRANSACTIONS: readonly string[] = ['eth_getTransactionByHash', 'eth_getTransactionReceipt'];

/**
 * Where the hash is that of a user operation of this site, the transaction that it became a part of: a dapp
 * that sent it with `eth_sendTransaction` knows it by that hash only.
 *
 * @returns undefined while there is no transaction.
 */
async function transactionBehind(hash: Hex, site: Site): Promise<Hex | undefined> {
  const batch = (await site.batches.list()).find(
    ({ origin, sent }) => origin === site.origin && sent.as === 'operation' && sent.hash === hash.toLowerCase(),
  );
  if (batch === undefined) return hash;
  return (await lookUp(batch, site)).receipts?.[0]?.transactionHash;
}

const read = (name: Read): DoorMethod =>
  forConnected(async (params = [], site) => {
    if (!Array.isArray(params)) throw new InvalidParamsError('params', 'must be a list');
    if (JSON.stringify(params).length > MAX_PARAMS)
      throw new InvalidParamsError('params', `must be at most ${MAX_PARAMS} characters of JSON`);
    const { node } = servicesOf(await chainOfSite(site));
    let list: unknown[] = params;
    const [hash] = list;
    if (ABOUT_TRANSACTIONS.includes(name) && bytesStruct(32).is(hash)) {
      const behind = await transactionBehind(hash, site);
      if (behind === undefined) return null;
      list = [behind];
    }
    return node.ask(name, list, unknown()).catch((error: unknown) => {
      throw nodeAnswer(error);
    });
  });

/** The node's methods, by name. */
export const NODE_READS = Object.fromEntries(READS.map((name) => [name, read(name)])) as Readonly<
  Record<Read, DoorMethod>
>;
