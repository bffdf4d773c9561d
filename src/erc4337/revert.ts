import { fromHex, type Hex, toHex } from '../eth/bytes';
import { readBytes, readOffset, readUint } from './abi';

const BYTES = /^0x(?:[0-9a-fA-F]{2})+$/u;

/** Of what an account or a paymaster said, so much is looked at: it could hold the like of itself, over and over. */
const MAX_INNER = 1024;

const utf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The entry point's own reason. */
const reason = (data: Uint8Array): string => utf8(readBytes(data, readOffset(data, 0, 32)));

/** `Error(string)` and `Panic(uint256)` of Solidity, `FailedOp` and `FailedOpWithRevert` of the entry points. */
const READERS: Readonly<Record<string, (data: Uint8Array) => string>> = {
  '0x08c379a0': (data) => utf8(readBytes(data, readOffset(data, 0, 0))),
  '0x4e487b71': (data) => `Panic 0x${readUint(data, 0).toString(16)}`,
  '0x220266b6': reason,
  '0x65c8fd4d': (data) => {
    const inner = decodeRevert(toHex(readBytes(data, readOffset(data, 0, 64)).subarray(0, MAX_INNER)));
    return [reason(data), ...(inner === undefined ? [] : [inner])].join(': ');
  },
};

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** Bundlers put the revert data into `data` itself, or into a member of it. */
const bytesIn = (data: unknown): Hex | undefined =>
  [data, member(data, 'data'), member(data, 'revertData'), member(member(data, 'originalError'), 'data')].find(
    (value): value is Hex => typeof value === 'string' && BYTES.test(value),
  );

/**
 * @param data - The `data` of a JSON-RPC error: anything.
 * @returns What the contract said when it reverted, or undefined if that cannot be told.
 */
export function decodeRevert(data: unknown): string | undefined {
  const bytes = bytesIn(data);
  if (bytes === undefined) return undefined;
  const selector = bytes.slice(0, 10).toLowerCase();
  const read = Object.hasOwn(READERS, selector) ? READERS[selector] : undefined;
  try {
    return read?.(fromHex(bytes).subarray(4));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
