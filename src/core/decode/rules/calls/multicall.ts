import { type Hex } from '../../../eth/bytes';
import { address, array, bool, bytes, bytes32, tuple, uint256 } from '../../../eth/abi';
import { counted } from '../../../eth/units';
import { text } from '../../words/lines';
import { isNever, utcTime } from '../../words/time';
import { type Call, type CallRule, type Reading, rule } from './rule';

/** Calls that a contract makes to itself, which keep `msg.sender` and `msg.value` of the outer call. */
const toItself = ({ to, from }: Call, datas: readonly string[]): Reading => ({
  title: `${counted(datas.length, 'call')} to this contract`,
  lines: [],
  calls: datas.map((data) => ({ to, data, ...(from !== undefined && { from }) })),
});

const toOthers = (calls: readonly Call[]): Reading => ({ title: counted(calls.length, 'call'), lines: [], calls });

type Target = readonly [to: Hex, data: string];
const plain = (targets: readonly Target[]): Reading => toOthers(targets.map(([to, data]) => ({ to, data, value: 0n })));

const targets = array(tuple(address, bytes));

/** `multicall` of routers, and Multicall3 with its predecessors. */
export const MULTICALL_RULES: readonly CallRule[] = [
  rule('ac9650d8', 'multicall', [array(bytes)], ([datas], call) => toItself(call, datas)),
  rule('5ae401dc', 'multicall', [uint256, array(bytes)], ([deadline, datas], call, { view }) => ({
    ...toItself(call, datas),
    lines: [text('Expires', isNever(deadline, view.now) ? 'never' : utcTime(deadline))],
  })),
  rule('1f0464d1', 'multicall', [bytes32, array(bytes)], ([, datas], call) => toItself(call, datas)),
  rule('252dba42', 'aggregate', [targets], ([calls]) => plain(calls)),
  rule('c3077fa9', 'blockAndAggregate', [targets], ([calls]) => plain(calls)),
  rule('bce38bd7', 'tryAggregate', [bool, targets], ([, calls]) => plain(calls)),
  rule('399542e9', 'tryBlockAndAggregate', [bool, targets], ([, calls]) => plain(calls)),
  rule('82ad56cb', 'aggregate3', [array(tuple(address, bool, bytes))], ([calls]) =>
    plain(calls.map(([to, , data]) => [to, data])),
  ),
  rule('174dea71', 'aggregate3Value', [array(tuple(address, bool, uint256, bytes))], ([calls]) =>
    toOthers(calls.map(([to, , value, data]) => ({ to, value, data }))),
  ),
];
