import { blockHash } from '../params';
import { uncleCountByHash } from '../uncles';
import { defineMethod } from './method';

/** Parameter: block hash. Result: how many uncles the block has, as a hex quantity, or null. */
export const ethGetUncleCountByBlockHash = defineMethod('eth_getUncleCountByBlockHash', [blockHash], uncleCountByHash);
