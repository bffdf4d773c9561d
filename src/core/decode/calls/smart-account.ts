import {
  BATCH_06,
  BATCH_07,
  BATCH_08,
  type BatchOf,
  CALL_TYPES,
  CALLS_TYPE,
  toView,
} from '../../erc4337/simple-account/batches';
import { ZERO_ADDRESS } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { type AbiType, bytes, bytes32, decode, type WorkBudget } from '../../eth/abi';
import { counted } from '../../eth/units';
import { address as addressLine } from '../lines';
import { type Call, type CallRule, type Reading, rule } from './rule';

const batch = ({ to: account }: Call, calls: readonly Call[]): Reading => ({
  title: `Have an account make ${counted(calls.length, 'call')}`,
  lines: [addressLine('Account', account)],
  calls,
});

/** The batch of a version of SimpleAccount. */
const batchRule = <Types extends readonly AbiType<unknown>[]>({ selector, types, callsOf }: BatchOf<Types>): CallRule =>
  rule(selector.slice(2), 'executeBatch', types, (values, call) => {
    const calls = callsOf(values);
    return calls && batch(call, calls);
  });

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
      const decoded = decode([CALLS_TYPE], content, budget);
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
  rule('b61d27f6', 'execute', CALL_TYPES, (values, { to: account }) => ({
    title: 'Have an account make a call',
    lines: [addressLine('Account', account)],
    calls: [toView(values)],
  })),
  batchRule(BATCH_06),
  batchRule(BATCH_07),
  batchRule(BATCH_08),
  rule('e9ae5c53', 'execute', [bytes32, bytes], ([mode, content], call, { budget }) => {
    const calls = executed(mode, content, call, budget);
    return calls && batch(call, calls);
  }),
];
