import { NATIVE_TRANSFERS, TRANSFER_TOPIC } from '../core/simulation/asset-logs';
import { type Hex, lowerCase } from '../core/eth/bytes';
import { type Log } from '../core/schemas/receipt';
import { type CallFrame, CallFrameStruct } from '../core/schemas/simulation';
import { accepted } from '../core/structs/struct';
import { CannotSimulateError, NONSENSE } from './failure';

/** The EVM's limit. */
const MAX_DEPTH = 1024;
/** More than a block of gas pays for in use. */
const MAX_FRAMES = 20_000;

/** The frames that move their value. A DELEGATECALL repeats the value of its caller. */
const MOVING = ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'];

const wordOf = (hex: Hex): Hex => `0x${lowerCase(hex).slice(2).padStart(64, '0')}`;

/** The transfer of a frame, as `eth_simulateV1` would log it. */
function transferOf({ type, from, to, value }: CallFrame): Log[] {
  if (!MOVING.includes(type) || to === undefined || value === undefined || BigInt(value) === 0n) return [];
  return [{ address: NATIVE_TRANSFERS, topics: [TRANSFER_TOPIC, wordOf(from), wordOf(to)], data: wordOf(value) }];
}

/** The record of a call in a trace. */
export type TracedCall = {
  readonly logs: readonly Log[];
  /** The outermost frame, if it fails. */
  readonly failed?: CallFrame;
  /** The contract that the call creates. */
  readonly created?: Hex;
};

/**
 * Reads the result of `debug_traceCall` with the `callTracer`. What reverted frames did is left out.
 *
 * @throws {CannotSimulateError} If it is malformed.
 */
export function readTrace(answer: unknown): TracedCall {
  let frames = 0;
  const logsOf = (answered: unknown, depth: number): readonly Log[] => {
    const value = ++frames > MAX_FRAMES || depth > MAX_DEPTH ? undefined : accepted(CallFrameStruct, answered);
    if (value === undefined) throw new CannotSimulateError(NONSENSE);
    if (value.error !== undefined) return [];
    const { logs = [], calls = [] } = value;
    const inner = calls.map((call) => logsOf(call, depth + 1));
    // A log without a position counts as one after all inner calls.
    const own = (before: number): Log[] =>
      logs.filter(({ position }) => Math.min(Number(position ?? calls.length), calls.length) === before);
    return [...transferOf(value), ...inner.flatMap((of, at) => [...own(at), ...of]), ...own(calls.length)];
  };
  const logs = logsOf(answer, 0);
  // logsOf has validated the outermost frame.
  const frame = answer as CallFrame;
  if (frame.error !== undefined) return { failed: frame, logs: [] };
  return { logs, ...(frame.type === 'CREATE' && frame.to !== undefined && { created: frame.to }) };
}
