import { type Explanation } from '../../core/decode/explanation';
import { type Hex } from '../../core/eth/bytes';

/** @returns Who a request sends assets to. Contracts that are only sent data do not count. */
export const sentTo = ({ open }: Explanation): readonly Hex[] =>
  (open?.met ?? []).flatMap(({ address, how }) => (how === 'sent' ? [address] : []));
