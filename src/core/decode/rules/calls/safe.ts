import { unpackedCalls } from '../../../safe/multi-send';
import { ZERO_ADDRESS } from '../../../eth/address';
import { address, array, bytes, bytes32, uint, uint256 } from '../../../eth/abi';
import { type Hex } from '../../../eth/bytes';
import { counted, MAX_UINT256 } from '../../../eth/units';
import { type Control, type Effect } from '../../effects/effect';
import { type Asset } from '../../effects/outcome';
import { type Line } from '../../explanation';
import { address as addressLine, text } from '../../words/lines';
import { nativeAmount } from '../../words/units';
import { type ContractCall, type CallRule, type Reading, rule } from './rule';

/** Safe, `Enum.Operation`. */
const DELEGATECALL = 1n;

/** @returns The call that a Safe makes, or undefined if the operation does not exist. */
export const safeCall = (
  to: Hex,
  value: bigint,
  data: string,
  operation: bigint,
  from: Hex | undefined,
): ContractCall | undefined =>
  operation > DELEGATECALL
    ? undefined
    : { to, value, data, ...(from && { from }), ...(operation === DELEGATECALL && { delegate: true }) };

/** Safe writes the zero address for the network's coin. */
const assetAt = (token: Hex): Asset => (token === ZERO_ADDRESS ? { kind: 'native' } : { kind: 'erc20', token });

/** The payment of a Safe for the gas of a transaction: a price for each unit, in coins or in a token. */
type Refund = {
  readonly gasPrice: bigint;
  readonly gasToken: Hex;
  readonly refundReceiver: Hex;
  readonly safeTxGas: bigint;
  readonly baseGas: bigint;
};

/**
 * The refund of a Safe transaction as it moves from the Safe; without a receiver, whoever submits the transaction gets
 * it.
 */
export function refund(
  { gasPrice, gasToken, refundReceiver, safeTxGas, baseGas }: Refund,
  safe: Hex | undefined,
): { readonly effects: readonly Effect[]; readonly lines: readonly Line[] } {
  if (gasPrice === 0n) return { effects: [], lines: [] };
  // Without a limit of its own, the transaction may use all gas that it is given.
  const amount = safeTxGas === 0n && baseGas === 0n ? gasPrice : (safeTxGas + baseGas) * gasPrice;
  return {
    effects: [
      {
        kind: 'move',
        from: safe,
        to: refundReceiver === ZERO_ADDRESS ? undefined : refundReceiver,
        asset: assetAt(gasToken),
        amount: amount < MAX_UINT256 ? amount : MAX_UINT256,
        isRefund: true,
      },
    ],
    lines: [
      text('Refund per unit of gas', gasPrice.toString()),
      addressLine('Refund token', gasToken),
      addressLine('Refund recipient', refundReceiver),
    ],
  };
}

/** The transactions of MultiSend; undefined if the bytes are malformed. */
function multiSendCalls(packed: string, from: Hex | undefined): ContractCall[] | undefined {
  const calls = unpackedCalls(packed)?.map((one) => safeCall(one.to, one.value, one.data, one.operation, from));
  return calls?.every((call) => call !== undefined) === true ? calls : undefined;
}

/** @param call - undefined if the operation does not exist. */
const fromSafe = (call: ContractCall | undefined, safe: Hex, more: Partial<Reading> = {}): Reading | undefined =>
  call && {
    title: 'Make a call from a Safe',
    effects: more.effects ?? [],
    isListed: true,
    lines: [addressLine('Safe', safe), ...(more.lines ?? [])],
    calls: [call],
  };

const byModule = (selector: string, name: string): CallRule =>
  rule(selector, name, [address, uint256, bytes, uint(8)], ([to, value, data, operation], { to: safe }) =>
    fromSafe(safeCall(to, value, data, operation, safe), safe),
  );

const gained = (by: Hex, does: Control['does']): Control => ({ kind: 'control', by, does });

/** The first set-up of a Safe: its owners, and code that it runs once. */
const SETUP = rule(
  'b63e800d',
  'setup',
  [array(address), uint256, address, bytes, address, address, uint256, address],
  ([owners, threshold, initializer, data, handler, token, payment, receiver], { to }) => ({
    title: 'Set up a Safe',
    isListed: true,
    effects: [
      // A Safe is set up once. Code that runs then can do anything with what it was sent before.
      ...owners.map((owner) => ({
        ...gained(owner, (name) => `makes ${name(owner)} an owner of ${name(to)}`),
        ...(initializer === ZERO_ADDRESS && { isFirst: true as const }),
      })),
      ...(payment > 0n
        ? ([
            {
              kind: 'move',
              from: to,
              to: receiver === ZERO_ADDRESS ? undefined : receiver,
              asset: assetAt(token),
              amount: payment,
            },
          ] as const)
        : []),
    ],
    lines: [
      addressLine('Safe', to),
      ...owners.slice(0, 20).map((owner) => addressLine('Owner', owner)),
      text('Required signatures', threshold.toString()),
      addressLine('Fallback handler', handler),
    ],
    calls: initializer === ZERO_ADDRESS ? [] : [{ to: initializer, from: to, data, delegate: true }],
  }),
);

/** Safe: calls on behalf of its owners or a module, and batches. */
export const SAFE_RULES: readonly CallRule[] = [
  rule(
    '6a761202',
    'execTransaction',
    [address, uint256, bytes, uint(8), uint256, uint256, uint256, address, address, bytes],
    ([to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver], { to: safe }) =>
      fromSafe(
        safeCall(to, value, data, operation, safe),
        safe,
        refund({ gasPrice, gasToken, refundReceiver, safeTxGas, baseGas }, safe),
      ),
  ),
  byModule('468721a7', 'execTransactionFromModule'),
  byModule('5229073f', 'execTransactionFromModuleReturnData'),
  // Safe4337Module: the call data of a user operation.
  byModule('7bb37428', 'executeUserOp'),
  byModule('541d63c8', 'executeUserOpWithErrorString'),
  rule('d4d9bdcd', 'approveHash', [bytes32], ([hash], { to }) => ({
    title: 'Approve a transaction of a Safe by its hash',
    effects: [{ kind: 'opaque', what: 'hash' }],
    lines: [addressLine('Safe', to), text('Hash', hash)],
  })),
  SETUP,
  rule('8d80ff0a', 'multiSend', [bytes], ([packed], { value, from }, scene) => {
    const calls = multiSendCalls(packed, from);
    return (
      calls && {
        title: `${counted(calls.length, 'call')} from a Safe`,
        lines: value === undefined || value === 0n ? [] : [text('Value', nativeAmount(value, scene))],
        calls,
      }
    );
  }),
];
