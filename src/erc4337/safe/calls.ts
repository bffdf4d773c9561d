import { InvalidParamsError } from '../../errors';
import { isSameAddress } from '../../eth/address';
import { concatBytes, fromHex, type Hex, joinBytes, toHex } from '../../eth/bytes';
import {
  addressItem,
  bytesItem,
  encodeCall,
  readAddress,
  readBytes,
  readOffset,
  readUint,
  uintItem,
  wordOf,
} from '../abi';
import { toCalls } from '../calls';
import { type Call, type Intent } from '../user-operation';
import { MULTI_SEND_CALL_ONLY } from './contracts';

/** `executeUserOp(address,uint256,bytes,uint8)` of the module. */
const EXECUTE_USER_OP = '0x7bb37428';
/** `multiSend(bytes)` of MultiSendCallOnly. */
const MULTI_SEND = '0x8d80ff0a';

/** Safe, `Enum.Operation`. */
const CALL = 0n;
const DELEGATECALL = 1n;

/** The bytes of a packed call before its data: operation, to, value, length. */
const PACKED_HEAD = 1 + 20 + 32 + 32;

const executeUserOp = (to: Hex, value: bigint, data: Uint8Array, operation: bigint): Hex =>
  encodeCall(EXECUTE_USER_OP, [addressItem(to), uintItem(value), bytesItem(data), uintItem(operation)]);

/** One call of MultiSend, packed without padding. */
function packed({ to, value, data }: Call): Uint8Array {
  const bytes = fromHex(data);
  return concatBytes(Uint8Array.of(Number(CALL)), fromHex(to), wordOf(value), wordOf(BigInt(bytes.length)), bytes);
}

const encoded = (calls: readonly Call[]): Hex => {
  const [first, ...others] = calls;
  if (first === undefined) throw new InvalidParamsError('intents', 'must hold at least one intent');
  if (others.length === 0) return executeUserOp(first.to, first.value, fromHex(first.data), CALL);
  const multiSend = encodeCall(MULTI_SEND, [bytesItem(joinBytes(calls.map(packed)))]);
  return executeUserOp(MULTI_SEND_CALL_ONLY, 0n, fromHex(multiSend), DELEGATECALL);
};

/** A Safe makes one call itself, and delegates several to MultiSendCallOnly. */
export const encodeCalls = (intents: readonly Intent[]): Hex => encoded(toCalls(intents, 'Safe'));

/** @throws {RangeError} If the bytes are no such list. */
function unpacked(bytes: Uint8Array): Call[] {
  const calls: Call[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = readUint(bytes, at + PACKED_HEAD - 32);
    const start = at + PACKED_HEAD;
    if (length > BigInt(bytes.length - start)) throw new RangeError('a call reaches past the end');
    const end = start + Number(length);
    calls.push({
      to: toHex(bytes.subarray(at + 1, at + 21)),
      value: readUint(bytes, at + 21),
      data: toHex(bytes.subarray(start, end)),
    });
    at = end;
  }
  return calls;
}

function readExecution(data: Uint8Array): Call[] {
  const [to, value, operation] = [readAddress(data, 0), readUint(data, 32), readUint(data, 96)];
  const inner = readBytes(data, readOffset(data, 0, 64));
  if (operation === CALL) return [{ to, value, data: toHex(inner) }];
  // Whatever else is delegated to could do anything with the account.
  if (!isSameAddress(to, MULTI_SEND_CALL_ONLY)) throw new RangeError('it delegates to another contract');
  return unpacked(readBytes(inner.subarray(4), readOffset(inner.subarray(4), 0, 0)));
}

/** Only what encodes back to the very same bytes is understood: no byte is left unread. */
export function decodeCalls(callData: Hex): Call[] | undefined {
  if (!callData.toLowerCase().startsWith(EXECUTE_USER_OP)) return undefined;
  try {
    const calls = readExecution(fromHex(callData).subarray(4));
    return calls.length > 0 && encoded(calls) === callData.toLowerCase() ? calls : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
