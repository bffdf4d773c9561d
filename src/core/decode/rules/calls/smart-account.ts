import {
  BATCH_06,
  BATCH_07,
  BATCH_08,
  type BatchOf,
  CALL_TYPES,
  CALLS_TYPE,
  toView,
} from '../../../erc4337/simple-account/batches';
import { isSameAddress, ZERO_ADDRESS } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { type AbiType, address, bytes, bytes32, decode, type WorkBudget } from '../../../eth/abi';
import { counted } from '../../../eth/units';
import { address as addressLine, undecodedLine } from '../../words/lines';
import { type ContractCall, type CallRule, type Reading, rule } from './rule';

/** The calls that an account makes of itself. */
function made(calls: readonly ContractCall[], { to: account }: ContractCall): Omit<Reading, 'title'> {
  return {
    effects: calls.some(({ to }) => isSameAddress(to, account)) ? [{ kind: 'self-call' }] : [],
    lines: [addressLine('Account', account)],
    calls: calls.map((call) => ({ ...call, from: account })),
  };
}

const batch = (call: ContractCall, calls: readonly ContractCall[]): Reading => ({
  title: `Make ${counted(calls.length, 'call')} from an account`,
  ...made(calls, call),
});

/** The batch function of one SimpleAccount version. */
const batchRule = <Types extends readonly AbiType<unknown>[]>({ selector, types, callsOf }: BatchOf<Types>): CallRule =>
  rule(selector.slice(2), 'executeBatch', types, (values, call) => {
    const calls = callsOf(values);
    return calls && batch(call, calls);
  });

/**
 * Modes whose first byte alone determines the encoding of the calls (ERC-7579): one byte for the call type, one for
 * failure handling, four unused, and the mode selector. Only selectors 0 and 78210001 (ERC-7821, a batch with data for
 * the account) qualify: under others the same bytes encode other calls, such as 78210002, a batch of batches.
 */
const PLAIN_MODE = /^0x..0[01].{8}(?:0{8}|78210001)/u;

/** The calls of ERC-7579 and ERC-7821; undefined for an unknown mode or malformed calls. */
function executed(
  mode: Hex,
  content: string,
  outer: ContractCall,
  budget: WorkBudget,
): readonly ContractCall[] | undefined {
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
      // ERC-7821: the zero address means the account itself.
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
  rule('b61d27f6', 'execute', CALL_TYPES, (values, call) => ({
    title: 'Make a call from an account',
    ...made([toView(values)], call),
  })),
  batchRule(BATCH_06),
  batchRule(BATCH_07),
  batchRule(BATCH_08),
  rule('e9ae5c53', 'execute', [bytes32, bytes], ([mode, content], call, scene) => {
    const calls = executed(mode, content, call, scene.budget);
    return calls && batch(call, calls);
  }),
  // DSProxy: the proxy runs the code of a target, or code in the call, as itself.
  rule('1cff79cd', 'execute', [address, bytes], ([code, data], { to: account }) => ({
    title: 'Run code as an account',
    lines: [addressLine('Account', account)],
    calls: [{ to: code, from: account, data, delegate: true }],
  })),
  rule('1f6a1eb9', 'execute', [bytes, bytes], ([code], { to: account }) => ({
    title: 'Run new code as an account',
    effects: [{ kind: 'foreign-code', code: undefined }],
    lines: [addressLine('Account', account), ...undecodedLine('Code', code)],
  })),
];
