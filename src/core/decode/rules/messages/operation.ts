import { type EntryPointVersion, versionOfEntryPoint } from '../../../erc4337/entry-points';
import { OPERATION_TYPE } from '../../../erc4337/hash';
import { type KindName, KINDS } from '../../../kinds';
import { type Quantities, quantitiesOf, type UserOperation } from '../../../erc4337/user-operation';
import { InvalidParamsError } from '../../../errors';
import { isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { encodeType, type TypedDataTypes } from '../../../eth/typed-data';
import { MAX_UINT256 } from '../../../eth/units';
import { MODULE_4337 } from '../../../safe/contracts';
import { type SignedValue } from '../../completeness/signed-value';
import { quoted } from '../../descriptors/words';
import { type Effect } from '../../effects/effect';
import { startLine } from '../../effects/details';
import { type Line } from '../../explanation';
import { address, text } from '../../words/lines';
import { shortAddress } from '../../words/names';
import { callsOf, gasLines, paymentOf } from '../payment';
import {
  addressOf,
  contractLine,
  deadlineLine,
  digitsOf,
  type Struct,
  type TypedReading,
  type TypedRule,
  type TypedScene,
  uintOf,
} from './rule';

/** The way in which a message encodes a user operation. */
type Form = {
  readonly sender: Hex;
  /** undefined if the message names none. */
  readonly entryPoint: Hex | undefined;
  /** The kind of account whose call data can be decoded. */
  readonly kind: KindName;
  /** The label of the address at the start of `initCode`. */
  readonly factoryLabel: string;
  readonly more: readonly Line[];
};

const note = (text: string): Effect => ({ kind: 'note', text });

/** The payer, the gas and the entry point; no payment if the paymaster field is invalid. */
function paymentAndEntryPoint(
  operation: UserOperation,
  entryPoint: Form['entryPoint'],
  usual: EntryPointVersion,
  scene: TypedScene,
): { readonly lines: readonly Line[]; readonly effects: readonly Effect[]; readonly fee?: string } {
  const known = entryPoint && versionOfEntryPoint(entryPoint);
  const unknown =
    entryPoint === undefined
      ? [note('This operation names no entry point.')]
      : known === undefined
        ? [
            note(
              `Unknown entry point ${shortAddress(entryPoint)}. Keystead cannot tell what it does with the operation.`,
            ),
          ]
        : [];
  // At 0.9, the signed data lacks the paymaster's signature and its length. Otherwise it is as at 0.8.
  const version = known === '0.9' ? '0.8' : (known ?? usual);
  const rest = [
    ...gasLines(operation),
    contractLine(known === undefined ? 'Entry point' : `Entry point ${known}`, entryPoint),
  ];
  try {
    const { fee, lines, effects } = paymentOf(operation, { version, wasPrepared: false }, scene);
    return { fee, lines: [text('Network fee', fee), ...lines, ...rest], effects: [...unknown, ...effects] };
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    return { lines: rest, effects: [...unknown, { kind: 'malformed', what: 'paymaster' }] };
  }
}

/** Bytes in hex digits: of an address, and of one of the packed numbers. */
const [ADDRESS_DIGITS, HALF_DIGITS] = [40, 32];

const amountsOf = (parts: Readonly<Record<string, bigint>>): readonly SignedValue[] =>
  Object.entries(parts).map(([label, amount]) => ({ kind: 'amount', label, amount }));

/** The paymaster, its gas limits, and the data for it. */
function signPaymaster(digits: string, scene: TypedScene): void {
  const halfAt = ADDRESS_DIGITS + HALF_DIGITS;
  const dataAt = halfAt + HALF_DIGITS;
  if (digits.length < dataAt) return;
  const [verification, after] = [digits.slice(ADDRESS_DIGITS, halfAt), digits.slice(halfAt, dataAt)];
  const { signed } = scene.findings;
  signed.markRead(digits);
  signed.add([
    { kind: 'address', label: 'Paymaster', address: `0x${digits.slice(0, ADDRESS_DIGITS)}` },
    ...amountsOf({
      "Gas for the paymaster's check": BigInt(`0x${verification}`),
      'Gas for the paymaster afterwards': BigInt(`0x${after}`),
    }),
  ]);
  if (digits.length > dataAt) signed.addBytes([{ label: 'Data for the paymaster', digits: digits.slice(dataAt) }]);
}

/** @param message - Has all fields of the operation under their own names, except the sender. */
function reading(
  message: Struct,
  { sender, entryPoint, kind, factoryLabel, more }: Form,
  scene: TypedScene,
): TypedReading {
  const [initCode, callData, paymasterAndData] = ['initCode', 'callData', 'paymasterAndData'].map(
    (name): Hex => `0x${digitsOf(message, name)}`,
  ) as [Hex, Hex, Hex];
  const quantities = quantitiesOf(message as Quantities<string>, BigInt);
  const operation = { sender, initCode, callData, ...quantities, paymasterAndData, signature: '0x' } as const;
  const { decodeCalls, entryPointVersion } = KINDS[kind];
  const payment = paymentAndEntryPoint(operation, entryPoint, entryPointVersion, scene);
  const decoded = decodeCalls(callData);
  // The calls in it are read and compared one by one.
  if (decoded !== undefined) scene.findings.signed.markRead(digitsOf(message, 'callData'));
  const { calls, effects } = callsOf(operation, decoded);
  return {
    title: 'Approve a user operation',
    effects: [{ kind: 'operation', sender }, ...payment.effects, ...effects],
    ...(payment.fee !== undefined && { fee: payment.fee }),
    lines: [
      address('Account', sender),
      ...(initCode === '0x'
        ? []
        : [(initCode.length < 42 ? text : address)(factoryLabel, initCode.slice(0, 42) as Hex)]),
      ...payment.lines,
      ...more,
    ],
    calls,
  };
}

/** The type in Safe4337Module 0.2.0 and 0.3.0, which differ in the order and width of the numbers. */
const SAFE_OP =
  /^SafeOp\(address safe,uint256 nonce,bytes initCode,bytes callData,(?:uint(?:128|256) (?:verificationGasLimit|callGasLimit|preVerificationGas|max(?:Priority)?FeePerGas),){5}bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint\)$/u;

/** Two 16-byte numbers packed in one word, the first in the high half. */
function halves(message: Struct, member: string): readonly [bigint, bigint] {
  const word = BigInt(message[member] as Hex);
  return [word >> 128n, BigInt.asUintN(128, word)];
}

/** User operations that the owner signs as typed data: with Safe's module, and at entry points from 0.8 on. */
export const OPERATION_RULES: readonly TypedRule[] = [
  {
    type: (types: TypedDataTypes, primaryType: string) => SAFE_OP.test(encodeType(types, primaryType)),
    read: (message, scene) => {
      const [start, end] = [uintOf(message, 'validAfter'), uintOf(message, 'validUntil')];
      const whole = reading(
        message,
        {
          sender: addressOf(message, 'safe'),
          entryPoint: addressOf(message, 'entryPoint'),
          kind: 'safe-0.7',
          factoryLabel: 'Factory',
          more: [
            ...(start === 0n ? [] : [startLine(start)]),
            // Entry points take zero for no end.
            deadlineLine(end === 0n ? MAX_UINT256 : end, scene),
            contractLine('Module', scene.contract),
          ],
        },
        scene,
      );
      // Another contract may ignore its end.
      return isSameAddress(scene.contract ?? '', MODULE_4337) ? { ...whole, until: end } : whole;
    },
  },
  {
    type: OPERATION_TYPE,
    read: (message, scene) => {
      const [verificationGasLimit, callGasLimit] = halves(message, 'accountGasLimits');
      const [maxPriorityFeePerGas, maxFeePerGas] = halves(message, 'gasFees');
      const sender = addressOf(message, 'sender');
      signPaymaster(digitsOf(message, 'paymasterAndData'), scene);
      const { signed } = scene.findings;
      for (const member of ['accountGasLimits', 'gasFees']) signed.markSplit(quoted(member));
      signed.add(
        amountsOf({
          'Gas for verification': verificationGasLimit,
          'Gas for calls': callGasLimit,
          'Highest tip per gas, in wei': maxPriorityFeePerGas,
          'Highest fee per gas, in wei': maxFeePerGas,
        }),
      );
      return reading(
        { ...message, verificationGasLimit, callGasLimit, maxPriorityFeePerGas, maxFeePerGas },
        {
          sender,
          entryPoint: scene.contract,
          kind: 'simple-account-0.8',
          // For an account delegated by EIP-7702, entry points hash the delegate in this place.
          factoryLabel: 'Factory or delegate',
          more: [],
        },
        scene,
      );
    },
  },
];
