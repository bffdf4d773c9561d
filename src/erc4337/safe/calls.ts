import { InvalidParamsError } from '../../errors';
import { address, bytes, decode, uint256, UNBOUNDED } from '../../eth/abi';
import { isSameAddress } from '../../eth/address';
import { concatBytes, fromHex, type Hex, joinBytes } from '../../eth/bytes';
import { addressItem, bytesItem, encodeCall, uintItem, wordOf } from '../abi';
import { toCalls } from '../calls';
import { type Call, type Intent } from '../user-operation';
import { MULTI_SEND_CALL_ONLY } from './contracts';
import { unpackedCalls } from './multi-send';

/** `executeUserOp(address,uint256,bytes,uint8)` of the module. */
const EXECUTE_USER_OP = '0x7bb37428';
/** `multiSend(bytes)` of MultiSendCallOnly. */
const MULTI_SEND = '0x8d80ff0a';

/** Safe, `Enum.Operation`. */
const CALL = 0n;
const DELEGATECALL = 1n;

const executeUserOp = (to: Hex, value: bigint, data: Uint8Array, operation: bigint): Hex =>
  encodeCall(EXECUTE_USER_OP, [addressItem(to), uintItem(value), bytesItem(data), uintItem(operation)]);

/** One call of MultiSend, packed without padding. */
function packed({ to, value, data }: Call): Uint8Array {
  const content = fromHex(data);
  return concatBytes(Uint8Array.of(Number(CALL)), fromHex(to), wordOf(value), wordOf(BigInt(content.length)), content);
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

/** The calls that the module's arguments stand for; `undefined` where they may stand for something else. */
function readExecution(args: string): Call[] | undefined {
  const decoded = decode([address, uint256, bytes, uint256], args, UNBOUNDED);
  if ('misfit' in decoded) return undefined;
  const [to, value, data, operation] = decoded.values;
  if (operation === CALL) return [{ to, value, data: `0x${data}` }];
  // Whatever else is delegated to could do anything with the account.
  if (!isSameAddress(to, MULTI_SEND_CALL_ONLY)) return undefined;
  const inner = decode([bytes], data.slice(8), UNBOUNDED);
  return 'misfit' in inner
    ? undefined
    : unpackedCalls(inner.values[0])?.map(({ operation: _call, data: digits, ...call }) => ({
        ...call,
        data: `0x${digits}`,
      }));
}

/** Only what encodes back to the very same bytes is understood: no byte is left unread. */
export function decodeCalls(callData: Hex): Call[] | undefined {
  const lower = callData.toLowerCase();
  if (!lower.startsWith(EXECUTE_USER_OP)) return undefined;
  const calls = readExecution(lower.slice(EXECUTE_USER_OP.length));
  return calls !== undefined && calls.length > 0 && encoded(calls) === lower ? calls : undefined;
}
