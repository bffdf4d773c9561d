import { type Hex } from '../../eth/bytes';
import { address, bytes, uint, uint256 } from '../abi';
import { counted } from '../../eth/units';
import { address as addressLine, text } from '../lines';
import { type Line } from '../types';
import { ether } from '../units';
import { type Call, type CallRule, type Reading, rule } from './rule';

/** Safe, `Enum.Operation`. */
const DELEGATECALL = 1n;

/** @returns The call that a Safe makes, or undefined where the operation is none. */
export const safeCall = (to: Hex, value: bigint, data: string, operation: bigint): Call | undefined =>
  operation > DELEGATECALL ? undefined : { to, value, data, ...(operation === DELEGATECALL && { delegate: true }) };

/** Who is paid for the gas, if anybody. */
export const refundLines = (gasPrice: bigint, gasToken: Hex, refundReceiver: Hex): Line[] =>
  gasPrice === 0n
    ? []
    : [
        text('Pays for gas, a unit', gasPrice.toString()),
        addressLine('Pays in', gasToken),
        addressLine('Pays to', refundReceiver),
      ];

/** operation (1 byte), to (20), value (32), length (32), data; one after the other. */
const PACKED_HEAD = 2 * (1 + 20 + 32 + 32);

/** The transactions of MultiSend; undefined where the bytes are not that. */
function unpacked(packed: string): Call[] | undefined {
  const calls: Call[] = [];
  let at = 0;
  while (at < packed.length) {
    if (at + PACKED_HEAD > packed.length) return undefined;
    // Far beyond the end a number is not exact, and no less beyond it.
    const end = at + PACKED_HEAD + 2 * Number(`0x${packed.slice(at + 106, at + PACKED_HEAD)}`);
    if (end > packed.length) return undefined;
    const call = safeCall(
      `0x${packed.slice(at + 2, at + 42)}`,
      BigInt(`0x${packed.slice(at + 42, at + 106)}`),
      packed.slice(at + PACKED_HEAD, end),
      BigInt(`0x${packed.slice(at, at + 2)}`),
    );
    if (call === undefined) return undefined;
    calls.push(call);
    at = end;
  }
  return calls;
}

/** @param call - undefined where the operation is none. */
const made = (call: Call | undefined, safe: Hex, refund: readonly Line[] = []): Reading | undefined =>
  call && { title: 'Have a Safe make a call', lines: [addressLine('Safe', safe), ...refund], calls: [call] };

const byModule = (selector: string, name: string): CallRule =>
  rule(selector, name, [address, uint256, bytes, uint(8)], ([to, value, data, operation], { to: safe }) =>
    made(safeCall(to, value, data, operation), safe),
  );

/** Safe: what a Safe executes for its owners, for a module, and in a batch. */
export const SAFE_RULES: readonly CallRule[] = [
  rule(
    '6a761202',
    'execTransaction',
    [address, uint256, bytes, uint(8), uint256, uint256, uint256, address, address, bytes],
    ([to, value, data, operation, , , gasPrice, gasToken, refundReceiver], { to: safe }) =>
      made(safeCall(to, value, data, operation), safe, refundLines(gasPrice, gasToken, refundReceiver)),
  ),
  byModule('468721a7', 'execTransactionFromModule'),
  // Safe4337Module: what the call data of a user operation is.
  byModule('7bb37428', 'executeUserOp'),
  byModule('541d63c8', 'executeUserOpWithErrorString'),
  rule('8d80ff0a', 'multiSend', [bytes], ([packed], { value }) => {
    const calls = unpacked(packed);
    return (
      calls && {
        title: `${counted(calls.length, 'call')} of a Safe`,
        lines: value === undefined || value === 0n ? [] : [text('With', ether(value))],
        calls,
      }
    );
  }),
];
