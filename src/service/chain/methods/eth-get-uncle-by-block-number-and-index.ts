import { blockParameter, uncleIndex } from '../params';
import { uncleByNumber } from '../uncles';
import { defineMethod } from './method';

/** Parameters: block number or tag, uncle index. Result: the uncle, or null (specification section 4.3). */
export const ethGetUncleByBlockNumberAndIndex = defineMethod(
  'eth_getUncleByBlockNumberAndIndex',
  [blockParameter, uncleIndex],
  uncleByNumber,
);
