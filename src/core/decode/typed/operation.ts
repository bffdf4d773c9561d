import { type EntryPointVersion, versionOfEntryPoint } from '../../erc4337/entry-points';
import { OPERATION_TYPE } from '../../erc4337/hash';
import { type KindName, KINDS } from '../../erc4337/kinds';
import { type Quantities, quantitiesOf, type UserOperation } from '../../erc4337/user-operation';
import { InvalidParamsError } from '../../errors';
import { type Hex } from '../../eth/bytes';
import { encodeType, type TypedDataTypes } from '../../eth/typed-data';
import { MAX_UINT256 } from '../../eth/units';
import { address, text } from '../lines';
import { callsOf, offerLines, paymentLines } from '../operation';
import { utcTime } from '../time';
import { type Line } from '../types';
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

const DEPLOYER = 'Deployed first by';

/** What an operation is explained by, besides its message. */
type Form = {
  readonly sender: Hex;
  /** undefined: the message names none. */
  readonly entryPoint: Hex | undefined;
  /** The kind of account whose calls are understood one by one. */
  readonly kind: KindName;
  /** What the address in front of `initCode` is. */
  readonly maker: string;
  readonly more: readonly Line[];
};

/** How it is paid for, or that no entry point would take it; and the entry point. */
function paidBy(
  operation: UserOperation,
  entryPoint: Form['entryPoint'],
  usual: EntryPointVersion,
  { findings }: TypedScene,
): Line[] {
  const known = entryPoint && versionOfEntryPoint(entryPoint);
  if (known === undefined) findings.warn('The entry point is none that Keystead knows.');
  // What 0.9 has signed is without the paymaster's signature and its length: the rest is as at 0.8.
  const version = known === '0.9' ? '0.8' : (known ?? usual);
  const rest = [
    ...offerLines(operation),
    contractLine(known === undefined ? 'Entry point' : `Entry point ${known}`, entryPoint),
  ];
  try {
    return [...paymentLines(operation, { version, wasPrepared: false }, findings), ...rest];
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    findings.danger('malformed-call');
    return rest;
  }
}

/** @param message - All fields of the operation but the sender under their own names, whatever else there is. */
function reading(message: Struct, { sender, entryPoint, kind, maker, more }: Form, scene: TypedScene): TypedReading {
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
      ...(initCode === '0x' ? [] : [(initCode.length < 42 ? text : address)(maker, initCode.slice(0, 42) as Hex)]),
      ...paidBy(operation, entryPoint, entryPointVersion, scene),
      ...more,
    ],
    calls: callsOf(operation, decodeCalls(callData), scene.findings),
  };
}

/** Of Safe4337Module 0.2.0 and 0.3.0, which differ in the order and the width of the numbers. */
const SAFE_OP =
  /^SafeOp\(address safe,uint256 nonce,bytes initCode,bytes callData,(?:uint(?:128|256) (?:verificationGasLimit|callGasLimit|preVerificationGas|max(?:Priority)?FeePerGas),){5}bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint\)$/u;

/** Two numbers of 16 bytes in one word, the first one high. */
function halves(message: Struct, member: string): readonly [bigint, bigint] {
  const word = BigInt(message[member] as Hex);
  return [word >> 128n, BigInt.asUintN(128, word)];
}

/** User operations whose owner signs them as a message: Safe's module, and entry points from 0.8 on. */
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
          maker: DEPLOYER,
          more: [
            ...(start === 0n ? [] : [text('Usable from', utcTime(start))]),
            // To entry points, zero stands for no end.
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
      return reading(
        { ...message, verificationGasLimit, callGasLimit, maxPriorityFeePerGas, maxFeePerGas },
        {
          sender: addressOf(message, 'sender'),
          entryPoint: scene.contract,
          kind: 'simple-account-0.8',
          // Of an account that is delegated (EIP-7702), entry points hash the delegate in this place.
          maker: `${DEPLOYER}, or delegated to`,
          more: [],
        },
        scene,
      );
    },
  },
];
