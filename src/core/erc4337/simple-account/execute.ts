import { encodeFunctionData } from 'viem/utils';

import { InvalidParamsError } from '../../errors';
import { decode, UNBOUNDED } from '../../eth/abi';
import { type Hex, lowerCase } from '../../eth/bytes';
import { toCalls } from '../calls';
import { type Call, type Intent } from '../user-operation';
import { type Batch, CALL_TYPES, type CallView, toView } from './batches';
import { EXECUTE_ABI } from './contracts';

/** `execute(address,uint256,bytes)`. */
const EXECUTE = '0xb61d27f6';

/** The length of `0x` and a selector. */
const SELECTOR_END = 10;

const encodeExecute = ({ to, value, data }: Call): Hex =>
  encodeFunctionData({ abi: EXECUTE_ABI, args: [to, value, data] });

/**
 * @param who - The kind of account for error messages, with its article: "a SimpleAccount".
 * @returns The call data of `execute` for one intent, or of the batch for several.
 * @throws {InvalidIntentError} If the account cannot execute an intent.
 */
export function encodeCalls(intents: readonly Intent[], batch: Batch, who: string): Hex {
  const [first, ...others] = toCalls(intents, who);
  if (first === undefined) throw new InvalidParamsError('intents', 'must hold at least one intent');
  return others.length === 0 ? encodeExecute(first) : batch.encode([first, ...others]);
}

function readCalls(selector: string, args: string, batch: Batch): readonly CallView[] | undefined {
  if (selector === batch.selector) return batch.decode(args);
  const decoded = selector === EXECUTE ? decode(CALL_TYPES, args, UNBOUNDED) : undefined;
  return decoded !== undefined && 'values' in decoded ? [toView(decoded.values)] : undefined;
}

function encodedLike(selector: string, calls: readonly Call[], batch: Batch): Hex {
  const [first] = calls;
  return selector === EXECUTE && first !== undefined ? encodeExecute(first) : batch.encode(calls);
}

/**
 * Accepts only call data that encodes back to the same bytes, so no byte is ignored.
 *
 * @returns The calls, or undefined for any other call data.
 */
export function decodeCalls(callData: Hex, batch: Batch): Call[] | undefined {
  const lower = lowerCase(callData);
  const selector = lower.slice(0, SELECTOR_END);
  const views = readCalls(selector, lower.slice(SELECTOR_END), batch);
  // Overlapping parts could expand to far more data than the input. A genuine encoding never does.
  if (views === undefined || views.reduce((sum, { data }) => sum + data.length, 0) > lower.length) return undefined;
  const calls = views.map(({ data, ...call }): Call => ({ ...call, data: `0x${data}` }));
  return encodedLike(selector, calls, batch) === lower ? calls : undefined;
}
