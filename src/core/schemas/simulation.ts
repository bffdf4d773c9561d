import { AddressStruct } from './address';
import { BytesStruct, HexNumberStruct, QuantityAnswerStruct } from '../structs/hex';
import { LogStruct } from './receipt';
import {
  array,
  exactOptional,
  type Infer,
  nullable,
  number,
  optional,
  refine,
  string,
  type,
  unknown,
  wrong,
} from '../structs/struct';

/**
 * The result of one simulated call. `status` is 1 for success. Nodes put revert data in `error.data` or in
 * `returnData`.
 */
export const SimulatedResultStruct = type({
  status: QuantityAnswerStruct,
  returnData: BytesStruct,
  logs: array(LogStruct),
  gasUsed: optional(QuantityAnswerStruct),
  error: optional(nullable(type({ code: number(), message: string(), data: exactOptional(unknown()) }))),
});
/** The result of one simulated call. */
export type SimulatedResult = Infer<typeof SimulatedResultStruct>;

/** The result of `eth_simulateV1` for one block of `calls` calls (ethereum/execution-apis). */
export const simulatedBlockStruct = (calls: number) =>
  refine(array(type({ calls: array(SimulatedResultStruct) })), (blocks) =>
    blocks.length === 1 && blocks[0]?.calls.length === calls
      ? undefined
      : wrong(`must be one block with as many results as calls: ${calls}`),
  );

/**
 * One frame of `debug_traceCall` with the `callTracer`, without the frames inside it: nodes return those as `calls`,
 * which are validated one by one. A log's `position` is the number of inner frames before it.
 */
export const CallFrameStruct = type({
  type: string(),
  from: AddressStruct,
  to: optional(AddressStruct),
  value: optional(HexNumberStruct),
  output: optional(BytesStruct),
  error: optional(string()),
  logs: optional(array(type({ ...LogStruct.schema, position: optional(QuantityAnswerStruct) }))),
  calls: optional(array(unknown())),
});
/** A frame of a call trace, without the frames inside it. */
export type CallFrame = Infer<typeof CallFrameStruct>;
