import { type PreviewNode } from './node';
import { assetEvents, changesOf } from '../core/simulation/asset-logs';
import { type Outcome, type Simulation } from '../core/decode/effects/outcome';
import { revertReason } from '../core/simulation/revert-reason';
import { ServiceRefusedError } from '../core/errors';
import { BytesStruct } from '../core/schemas/hex';
import { unknown } from '../core/schemas/struct';
import { readTrace } from './call-trace';
import { CannotSimulateError, lacksFunds, outcomeOfRefusal, TOO_MANY } from './failure';
import { callParameter, codeOverrides } from './simulated-block';

const TRACER = { tracer: 'callTracer', tracerConfig: { withLog: true } };

type Settled = { readonly answer: unknown } | { readonly error: unknown };

const settled = (answer: Promise<unknown>): Promise<Settled> =>
  answer.then(
    (value) => ({ answer: value }),
    (error: unknown) => ({ error }),
  );

function outcomeOfTrace(answer: unknown, account: Simulation['account']): Outcome {
  const { failed, logs, created } = readTrace(answer);
  if (failed !== undefined) return { kind: 'reverts', reason: revertReason(failed.output, failed.error) };
  const events = assetEvents(logs, account);
  if (events === undefined) throw new CannotSimulateError(TOO_MANY);
  const { native, movements, grants } = events;
  const allows = grants.map(({ allowance }) => allowance);
  const creates = created === undefined ? [] : [created];
  return { kind: 'changes', changes: changesOf({ native, movements, allows, creates }) };
}

/**
 * Simulates one call on a node without `eth_simulateV1`: what changes is read from the logs of `debug_traceCall`. A
 * node without that method can only tell whether the call succeeds. Nothing can be read after the call, so amounts are
 * those that tokens log, and an allowance is shown whole even if the call uses a part of it.
 *
 * @throws {ServiceFailedError} If the node does not respond.
 * @throws {CannotSimulateError} If its result is malformed, or if there are several calls, each of which may depend on
 * those before it.
 */
export async function simulateAlone(
  { calls, account, delegations }: Simulation,
  node: PreviewNode,
  signal: AbortSignal,
): Promise<Outcome> {
  const [call, second] = calls;
  if (call === undefined || second !== undefined)
    throw new CannotSimulateError('the node cannot simulate several calls');
  const parameter = callParameter(call);
  const stateOverrides = codeOverrides({ delegations });
  const isOverridden = Object.keys(stateOverrides).length > 0;
  const tracer = isOverridden ? { ...TRACER, stateOverrides } : TRACER;
  const atBlock = isOverridden ? ['latest', stateOverrides] : ['latest'];
  const [trace, result] = await Promise.all([
    settled(node.ask('debug_traceCall', [parameter, 'latest', tracer], unknown(), signal)),
    settled(node.ask('eth_call', [parameter, ...atBlock], BytesStruct, signal)),
  ]);
  if ('answer' in trace) return outcomeOfTrace(trace.answer, account);
  if ('answer' in result) return { kind: 'succeeds' };
  // Without fees it may succeed.
  const isUnpaid = call.gas !== undefined && result.error instanceof ServiceRefusedError && lacksFunds(result.error);
  if (result.error instanceof ServiceRefusedError && !isUnpaid) return outcomeOfRefusal(result.error);
  throw result.error;
}
