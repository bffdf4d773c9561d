import { concat, encodeFunctionData, numberToHex, size } from 'viem/utils';

import { InvalidParamsError } from '../errors';
import { address, bytes, decode, uint256, UNBOUNDED } from '../eth/abi';
import { isSameAddress } from '../eth/address';
import { type Hex, lowerCase } from '../eth/bytes';
import { toCalls } from '../erc4337/calls';
import { type Call, type Intent } from '../erc4337/user-operation';
import { EXECUTE_USER_OP_ABI, MULTI_SEND_ABI, MULTI_SEND_CALL_ONLY } from './contracts';
import { unpackedCalls } from './multi-send';

/** `executeUserOp(address,uint256,bytes,uint8)` of the module. */
const EXECUTE_USER_OP = '0x7bb37428';

/** Safe, `Enum.Operation`. */
const CALL = 0;
const DELEGATECALL = 1;

const executeUserOp = ({ to, value, data }: Call, operation: number): Hex =>
  encodeFunctionData({ abi: EXECUTE_USER_OP_ABI, args: [to, value, data, operation] });

/** One MultiSend call, packed without padding. */
const packed = ({ to, value, data }: Call): Hex =>
  concat([
    numberToHex(CALL, { size: 1 }),
    to,
    numberToHex(value, { size: 32 }),
    numberToHex(size(data), { size: 32 }),
    data,
  ]);

/** @param calls - Lower case. */
const encoded = (calls: readonly Call[]): Hex => {
  const [first, ...others] = calls;
  if (first === undefined) throw new InvalidParamsError('intents', 'must hold at least one intent');
  if (others.length === 0) return executeUserOp(first, CALL);
  const data = encodeFunctionData({ abi: MULTI_SEND_ABI, args: [concat(calls.map(packed))] });
  return executeUserOp({ to: MULTI_SEND_CALL_ONLY, value: 0n, data }, DELEGATECALL);
};

/** A Safe executes a single call itself and delegates several to MultiSendCallOnly. */
export const encodeCalls = (intents: readonly Intent[]): Hex => encoded(toCalls(intents, 'a Safe'));

/** The calls encoded in the module's arguments, or undefined if they could mean anything else. */
function readExecution(args: string): Call[] | undefined {
  const decoded = decode([address, uint256, bytes, uint256], args, UNBOUNDED);
  if ('misfit' in decoded) return undefined;
  const [to, value, data, operation] = decoded.values;
  if (operation === BigInt(CALL)) return [{ to, value, data: `0x${data}` }];
  // A DELEGATECALL to any other contract could do anything with the account.
  if (!isSameAddress(to, MULTI_SEND_CALL_ONLY)) return undefined;
  const inner = decode([bytes], data.slice(8), UNBOUNDED);
  return 'misfit' in inner
    ? undefined
    : unpackedCalls(inner.values[0])?.map(({ operation: _call, data: digits, ...call }) => ({
        ...call,
        data: `0x${digits}`,
      }));
}

/** Accepts only call data that encodes back to the same bytes, so no byte is ignored. */
export function decodeCalls(callData: Hex): Call[] | undefined {
  const lower = lowerCase(callData);
  if (!lower.startsWith(EXECUTE_USER_OP)) return undefined;
  const calls = readExecution(lower.slice(EXECUTE_USER_OP.length));
  return calls !== undefined && calls.length > 0 && encoded(calls) === lower ? calls : undefined;
}
