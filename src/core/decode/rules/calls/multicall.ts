import { address, array, bool, bytes, bytes32, tuple, uint256 } from '../../../eth/abi';
import { type Hex } from '../../../eth/bytes';
import { counted } from '../../../eth/units';
import { text } from '../../words/lines';
import { endTime } from '../../words/time';
import { type ContractCall, type CallRule, type Reading, rule } from './rule';

/** Calls that a contract makes to itself, which keep `msg.sender` and `msg.value` of the outer call. */
const toItself = ({ to, from }: ContractCall, datas: readonly string[]): Reading => ({
  title: `${counted(datas.length, 'call')} to this contract`,
  calls: datas.map((data) => ({ to, data, ...(from !== undefined && { from }) })),
});

/** Calls that the contract itself makes to others. */
const toOthers = ({ to: from }: ContractCall, calls: readonly ContractCall[]): Reading => ({
  title: counted(calls.length, 'call'),
  calls: calls.map((call) => ({ ...call, from })),
});

type Target = readonly [to: Hex, data: string];
const plain = (targets: readonly Target[], call: ContractCall): Reading =>
  toOthers(
    call,
    targets.map(([to, data]) => ({ to, data, value: 0n })),
  );

const targets = array(tuple(address, bytes));

/** `multicall` of routers, and Multicall3 with its predecessors. */
export const MULTICALL_RULES: readonly CallRule[] = [
  rule('ac9650d8', 'multicall', [array(bytes)], ([datas], call) => toItself(call, datas)),
  rule('5ae401dc', 'multicall', [uint256, array(bytes)], ([deadline, datas], call, { view }) => ({
    ...toItself(call, datas),
    lines: [text('Expires', endTime(deadline, view.now))],
  })),
  rule('1f0464d1', 'multicall', [bytes32, array(bytes)], ([, datas], call) => toItself(call, datas)),
  rule('252dba42', 'aggregate', [targets], ([calls], call) => plain(calls, call)),
  rule('c3077fa9', 'blockAndAggregate', [targets], ([calls], call) => plain(calls, call)),
  rule('bce38bd7', 'tryAggregate', [bool, targets], ([, calls], call) => plain(calls, call)),
  rule('399542e9', 'tryBlockAndAggregate', [bool, targets], ([, calls], call) => plain(calls, call)),
  rule('82ad56cb', 'aggregate3', [array(tuple(address, bool, bytes))], ([calls], call) =>
    plain(
      calls.map(([to, , data]) => [to, data]),
      call,
    ),
  ),
  rule('174dea71', 'aggregate3Value', [array(tuple(address, bool, uint256, bytes))], ([calls], call) =>
    toOthers(
      call,
      calls.map(([to, , value, data]) => ({ to, value, data })),
    ),
  ),
];
