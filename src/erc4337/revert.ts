import { type AbiType, bytes, decode, string, uint256, UNBOUNDED, type ValuesOf } from '../eth/abi';
import { type Hex } from '../eth/bytes';

const BYTES = /^0x(?:[0-9a-fA-F]{2})+$/u;

/** Of what an account or a paymaster said, so much is looked at: it could hold the like of itself, over and over. */
const MAX_INNER = 1024;

type Reader = (args: string) => string | undefined;

const reader =
  <const Types extends readonly AbiType<unknown>[]>(types: Types, said: (values: ValuesOf<Types>) => string): Reader =>
  (args) => {
    const decoded = decode(types, args, UNBOUNDED);
    return 'misfit' in decoded ? undefined : said(decoded.values);
  };

/** `Error(string)` and `Panic(uint256)` of Solidity, `FailedOp` and `FailedOpWithRevert` of the entry points. */
const READERS: Readonly<Record<string, Reader>> = {
  '0x08c379a0': reader([string], ([reason]) => reason),
  '0x4e487b71': reader([uint256], ([code]) => `Panic 0x${code.toString(16)}`),
  '0x220266b6': reader([uint256, string], ([, reason]) => reason),
  '0x65c8fd4d': reader([uint256, string, bytes], ([, reason, data]) => {
    const inner = decodeRevert(`0x${data.slice(0, 2 * MAX_INNER)}`);
    return inner === undefined ? reason : `${reason}: ${inner}`;
  }),
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
  const found = bytesIn(data)?.toLowerCase() ?? '';
  const selector = found.slice(0, 10);
  return Object.hasOwn(READERS, selector) ? READERS[selector]?.(found.slice(10)) : undefined;
}
