import { unpackedCalls } from '../../../erc4337/safe/multi-send';
import { type Hex } from '../../../eth/bytes';
import { address, bytes, uint, uint256 } from '../../../eth/abi';
import { counted } from '../../../eth/units';
import { address as addressLine, text } from '../../words/lines';
import { type Line } from '../../explanation';
import { nativeAmount } from '../../words/units';
import { type Call, type CallRule, type Reading, rule } from './rule';

/** Safe, `Enum.Operation`. */
const DELEGATECALL = 1n;

/** @returns The call that a Safe makes, or undefined if the operation does not exist. */
export const safeCall = (to: Hex, value: bigint, data: string, operation: bigint): Call | undefined =>
  operation > DELEGATECALL ? undefined : { to, value, data, ...(operation === DELEGATECALL && { delegate: true }) };

/** The gas refund of a Safe transaction, if it has one. */
export const refundLines = (gasPrice: bigint, gasToken: Hex, refundReceiver: Hex): Line[] =>
  gasPrice === 0n
    ? []
    : [
        text('Refund per unit of gas', gasPrice.toString()),
        addressLine('Refund token', gasToken),
        addressLine('Refund recipient', refundReceiver),
      ];

/** The transactions of MultiSend; undefined if the bytes are malformed. */
function multiSendCalls(packed: string): Call[] | undefined {
  const calls = unpackedCalls(packed)?.map(({ to, value, data, operation }) => safeCall(to, value, data, operation));
  return calls?.every((call) => call !== undefined) === true ? calls : undefined;
}

/** @param call - undefined if the operation does not exist. */
const fromSafe = (call: Call | undefined, safe: Hex, refund: readonly Line[] = []): Reading | undefined =>
  call && { title: 'Make a call from a Safe', lines: [addressLine('Safe', safe), ...refund], calls: [call] };

const byModule = (selector: string, name: string): CallRule =>
  rule(selector, name, [address, uint256, bytes, uint(8)], ([to, value, data, operation], { to: safe }) =>
    fromSafe(safeCall(to, value, data, operation), safe),
  );

/** Safe: calls on behalf of its owners or a module, and batches. */
export const SAFE_RULES: readonly CallRule[] = [
  rule(
    '6a761202',
    'execTransaction',
    [address, uint256, bytes, uint(8), uint256, uint256, uint256, address, address, bytes],
    ([to, value, data, operation, , , gasPrice, gasToken, refundReceiver], { to: safe }) =>
      fromSafe(safeCall(to, value, data, operation), safe, refundLines(gasPrice, gasToken, refundReceiver)),
  ),
  byModule('468721a7', 'execTransactionFromModule'),
  // Safe4337Module: the call data of a user operation.
  byModule('7bb37428', 'executeUserOp'),
  byModule('541d63c8', 'executeUserOpWithErrorString'),
  rule('8d80ff0a', 'multiSend', [bytes], ([packed], { value }, scene) => {
    const calls = multiSendCalls(packed);
    return (
      calls && {
        title: `${counted(calls.length, 'call')} from a Safe`,
        lines: value === undefined || value === 0n ? [] : [text('Value', nativeAmount(value, scene))],
        calls,
      }
    );
  }),
];
