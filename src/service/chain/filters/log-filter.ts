import { invalidParams, type RpcError } from '../errors';
import { blockParameter, positional } from '../params';

/** A log has no more. */
const MAX_TOPICS = 4;
/** A filter is kept as long as it is used: some 350 addresses, or 220 topics. */
const MAX_FILTER = 16_384;

const ADDRESS = { pattern: /^0x[0-9a-f]{40}$/iu, rule: 'must be an address of 20 bytes in hex, or a list of them' };
const TOPIC = {
  pattern: /^0x[0-9a-f]{64}$/iu,
  rule: 'must be a topic of 32 bytes in hex, a list of them, or null',
  /** As in go-ethereum, a list with null in it selects all. */
  mayBeNull: true,
};

type Kind = { readonly pattern: RegExp; readonly rule: string; readonly mayBeNull?: boolean };

/** The logs that a client wants. */
export type LogFilter = {
  /** `address` and `topics` in one form: two filters that select the same logs in the same way are the same. */
  readonly selects: object;
  readonly fromBlock: unknown;
  readonly toBlock: unknown;
};

/** Makes the error for a filter. */
export type Wrong = (why: string) => RpcError;

/** @returns One value or several in lower case, sorted and each once; null for none, which selects all. */
function alternatives(
  value: unknown,
  { pattern, rule, mayBeNull = false }: Kind,
  what: string,
  wrong: Wrong,
): string[] | null {
  if (value === undefined || value === null) return null;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const texts = list
    .filter((item) => !(mayBeNull && item === null))
    .map((item) => {
      if (typeof item !== 'string' || !pattern.test(item)) throw wrong(`${what}: ${rule}`);
      return item.toLowerCase();
    });
  if (mayBeNull && list.includes(null)) return null;
  return texts.length === 0 ? null : [...new Set(texts)].sort();
}

/**
 * Reads a filter of logs.
 *
 * @param value - As sent; absent and null select all logs.
 * @param wrong - Makes the error.
 * @throws The error, if it is not a filter.
 */
export function readLogFilter(value: unknown, wrong: Wrong): LogFilter {
  if (value === undefined || value === null) return { selects: {}, fromBlock: undefined, toBlock: undefined };
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('the filter must be an object');
  const { address, topics, fromBlock, toBlock, ...others } = value as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw wrong(`${JSON.stringify(other.slice(0, 64))}: a filter has only address, topics, fromBlock and toBlock`);
  if (topics !== undefined && topics !== null && !Array.isArray(topics)) throw wrong('topics: must be a list');
  const positions: unknown[] = Array.isArray(topics) ? topics : [];
  if (positions.length > MAX_TOPICS) throw wrong(`topics: at most ${MAX_TOPICS} positions`);
  const addresses = alternatives(address, ADDRESS, 'address', wrong);
  const selects = {
    ...(addresses && { address: addresses }),
    ...(positions.length > 0 && {
      topics: positions.map((topic, i) => alternatives(topic, TOPIC, `topics[${i}]`, wrong)),
    }),
  };
  if (JSON.stringify(selects).length > MAX_FILTER) throw wrong(`the filter is longer than ${MAX_FILTER} characters`);
  return { selects, fromBlock, toBlock };
}

/** @returns A member of a filter with the block, or none. */
function blockMember(name: 'fromBlock' | 'toBlock', value: unknown): object {
  if (value === undefined || value === null) return {};
  try {
    return { [name]: blockParameter(value, 0).hex };
  } catch {
    throw invalidParams(`invalid argument 0: ${name}: must be a block number in hex, or a tag`);
  }
}

/**
 * Reads the parameters of `eth_newFilter`.
 *
 * @param params - As sent.
 * @returns The filter for the node.
 * @throws {RpcError} -32602.
 */
export function parseFilter(params: unknown): object {
  const [{ selects, fromBlock, toBlock }] = positional<[LogFilter]>(params, [
    (value, position) => readLogFilter(value, (why) => invalidParams(`invalid argument ${position}: ${why}`)),
  ]);
  return { ...selects, ...blockMember('fromBlock', fromBlock), ...blockMember('toBlock', toBlock) };
}
