import { ZERO_ADDRESS } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { address, array, bytes, bytes32, decode, tuple, uint256, type WorkBudget } from '../abi';
import { counted } from '../../eth/units';
import { address as addressLine } from '../lines';
import { type Call, type CallRule, type Reading, rule } from './rule';

const batch = ({ to: account }: Call, calls: readonly Call[]): Reading => ({
  title: `Have an account make ${counted(calls.length, 'call')}`,
  lines: [addressLine('Account', account)],
  calls,
});

/** @param values - None at all stands for zeros. */
const batchOfLists = (
  call: Call,
  to: readonly Hex[],
  values: readonly bigint[],
  data: readonly string[],
): Reading | undefined =>
  to.length !== data.length || (values.length !== 0 && values.length !== to.length)
    ? undefined
    : batch(
        call,
        to.map((target, index) => ({ to: target, value: values[index] ?? 0n, data: data[index] ?? '' })),
      );

const batchType = array(tuple(address, uint256, bytes));

/**
 * What a mode must be for its first byte to say what the rest is: behind it whether a call may fail, four bytes of no
 * meaning, and the form (ERC-7579), none or a batch with data for the account (ERC-7821). In other forms the same bytes
 * stand for other calls: 78210002 is a batch of batches.
 */
const PLAIN_MODE = /^0x..0[01].{8}(?:0{8}|78210001)/u;

/** ERC-7579 and ERC-7821: the calls; undefined for modes that do not exist, or are not understood. */
function executed(mode: Hex, content: string, outer: Call, budget: WorkBudget): readonly Call[] | undefined {
  if (!PLAIN_MODE.test(mode)) return undefined;
  switch (mode.slice(2, 4)) {
    case '00':
      if (content.length < 104) return undefined;
      return [
        {
          to: `0x${content.slice(0, 40)}`,
          value: BigInt(`0x${content.slice(40, 104)}`),
          data: content.slice(104),
        },
      ];
    case '01': {
      const decoded = decode([batchType], content, budget);
      if ('misfit' in decoded) return undefined;
      // ERC-7821: the zero address stands for the account itself.
      return decoded.values[0].map(([to, value, data]) => ({ to: to === ZERO_ADDRESS ? outer.to : to, value, data }));
    }
    case 'ff':
      if (content.length < 40) return undefined;
      return [{ to: `0x${content.slice(0, 40)}`, data: content.slice(40), delegate: true }];
    default:
      return undefined;
  }
}

/** SimpleAccount of entry points 0.6, 0.7 and 0.8, and the accounts of ERC-7579 and ERC-7821. */
export const SMART_ACCOUNT_RULES: readonly CallRule[] = [
  rule('b61d27f6', 'execute', [address, uint256, bytes], ([to, value, data], { to: account }) => ({
    title: 'Have an account make a call',
    lines: [addressLine('Account', account)],
    calls: [{ to, value, data }],
  })),
  // 0.6: a batch without values.
  rule('18dfb3c7', 'executeBatch', [array(address), array(bytes)], ([to, data], call) =>
    batchOfLists(call, to, [], data),
  ),
  // 0.7
  rule('47e1da2a', 'executeBatch', [array(address), array(uint256), array(bytes)], ([to, values, data], call) =>
    batchOfLists(call, to, values, data),
  ),
  // 0.8
  rule('34fcd5be', 'executeBatch', [batchType], ([calls], call) =>
    batch(
      call,
      calls.map(([to, value, data]) => ({ to, value, data })),
    ),
  ),
  rule('e9ae5c53', 'execute', [bytes32, bytes], ([mode, content], call, { budget }) => {
    const calls = executed(mode, content, call, budget);
    return calls && batch(call, calls);
  }),
];
