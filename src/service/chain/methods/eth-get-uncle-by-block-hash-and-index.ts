import { blockHash, uncleIndex } from '../params';
import { uncleByHash } from '../uncles';
import { defineMethod } from './method';

/** Parameters: block hash, uncle index. Result: the uncle, or null (specification section 4.3). */
export const ethGetUncleByBlockHashAndIndex = defineMethod(
  'eth_getUncleByBlockHashAndIndex',
  [blockHash, uncleIndex],
  uncleByHash,
);
