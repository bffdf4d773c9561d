import { type EntryPointVersion, versionOfEntryPoint } from '../../../erc4337/entry-points';
import { OPERATION_TYPE } from '../../../erc4337/hash';
import { type KindName, KINDS } from '../../../erc4337/kinds';
import { type Quantities, quantitiesOf, type UserOperation } from '../../../erc4337/user-operation';
import { InvalidParamsError } from '../../../errors';
import { isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { encodeType, type TypedDataTypes } from '../../../eth/typed-data';
import { MAX_UINT256 } from '../../../eth/units';
import { address, text } from '../../words/lines';
import { callsOf, gasLines, paymentOf } from '../../explain/operation-payment';
import { shortAddress } from '../../words/sentences';
import { utcTime } from '../../words/time';
import { type Line } from '../../explanation';
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

/** How a message encodes a user operation. */
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

/** Who pays, the gas and the entry point; no payment if the paymaster field is invalid. */
function paymentAndEntryPoint(
  operation: UserOperation,
  entryPoint: Form['entryPoint'],
  usual: EntryPointVersion,
  scene: TypedScene,
): Line[] {
  const { findings } = scene;
  const known = entryPoint && versionOfEntryPoint(entryPoint);
  if (entryPoint === undefined) findings.warn('This operation names no entry point.');
  else if (known === undefined)
    findings.warn(
      `Unknown entry point ${shortAddress(entryPoint)}. Keystead cannot tell what it does with the operation.`,
    );
  // At 0.9, the signed data lacks the paymaster's signature and its length. Otherwise it is as at 0.8.
  const version = known === '0.9' ? '0.8' : (known ?? usual);
  const rest = [
    ...gasLines(operation),
    contractLine(known === undefined ? 'Entry point' : `Entry point ${known}`, entryPoint),
  ];
  try {
    const { fee, lines } = paymentOf(operation, { version, wasPrepared: false }, scene);
    return [text('Network fee', fee), ...lines, ...rest];
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    findings.danger(
      'malformed-call',
      () => 'The paymaster field of this operation is invalid. Keystead cannot tell who pays for it.',
    );
    return rest;
  }
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
  return {
    title: 'Approve a user operation',
    lines: [
      address('Account', sender),
      ...(initCode === '0x'
        ? []
        : [(initCode.length < 42 ? text : address)(factoryLabel, initCode.slice(0, 42) as Hex)]),
      ...paymentAndEntryPoint(operation, entryPoint, entryPointVersion, scene),
      ...more,
    ],
    calls: callsOf(operation, decodeCalls(callData), scene.findings),
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
      return reading(
        message,
        {
          sender: addressOf(message, 'safe'),
          entryPoint: addressOf(message, 'entryPoint'),
          kind: 'safe-0.7',
          factoryLabel: 'Factory',
          more: [
            ...(start === 0n ? [] : [text('Validity starts', utcTime(start))]),
            // Entry points take zero for no end.
            deadlineLine(end === 0n ? MAX_UINT256 : end, scene),
            contractLine('Module', scene.contract),
          ],
        },
        scene,
      );
    },
  },
  {
    type: OPERATION_TYPE,
    read: (message, scene) => {
      const [verificationGasLimit, callGasLimit] = halves(message, 'accountGasLimits');
      const [maxPriorityFeePerGas, maxFeePerGas] = halves(message, 'gasFees');
      const sender = addressOf(message, 'sender');
      // An account that has a delegate makes calls by this signature, as by eth_signUserOperation.
      if (isSameAddress(sender, scene.view.signer)) scene.findings.danger('own-operation');
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
