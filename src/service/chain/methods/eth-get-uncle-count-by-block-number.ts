import { blockParameter } from '../params';
import { uncleCountByNumber } from '../uncles';
import { defineMethod } from './method';

/** Parameter: block number or tag. Result: how many uncles the block has, as a hex quantity, or null. */
export const ethGetUncleCountByBlockNumber = defineMethod(
  'eth_getUncleCountByBlockNumber',
  [blockParameter],
  uncleCountByNumber,
);
