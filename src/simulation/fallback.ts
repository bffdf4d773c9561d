import { assetEvents, changesOf } from '../core/simulation/asset-logs';
import { type IsKnownToken, withinRoom } from '../core/simulation/reading-order';
import { type Outcome, type Simulation } from '../core/decode/effects/outcome';
import { revertReason } from '../core/simulation/revert-reason';
import { ServiceRefusedError } from '../core/errors';
import { BytesStruct } from '../core/structs/hex';
import { unknown } from '../core/structs/struct';
import { readTrace } from './call-trace';
import { CannotSimulateError, disputesNonce, isUnderpriced, lacksFunds, outcomeOfRefusal } from './failure';
import { callParameter, codeOverrides, mostPerGas, type SimulationContext } from './simulated-block';

const TRACER = { tracer: 'callTracer', tracerConfig: { withLog: true } };

type Settled = { readonly answer: unknown } | { readonly error: unknown };

const settled = (answer: Promise<unknown>): Promise<Settled> =>
  answer.then(
    (value) => ({ answer: value }),
    (error: unknown) => ({ error }),
  );

async function outcomeOfTrace(
  answer: unknown,
  account: Simulation['account'],
  isKnown: IsKnownToken,
): Promise<Outcome> {
  const { failed, logs, created } = readTrace(answer);
  if (failed !== undefined) return { kind: 'reverts', reason: revertReason(failed.output, failed.error) };
  const { native, movements, grants, unread } = await withinRoom(assetEvents(logs, account), isKnown);
  const allows = grants.map(({ allowance }) => allowance);
  const creates = created === undefined ? [] : [created];
  const changes = changesOf({ native, movements, allows, creates });
  return { kind: 'changes', changes: { ...changes, ...(unread && { unread }) } };
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
  { node, signal, isKnown }: Pick<SimulationContext, 'node' | 'signal'> & { readonly isKnown: IsKnownToken },
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
  if ('answer' in trace) return outcomeOfTrace(trace.answer, account, isKnown);
  if ('answer' in result) return { kind: 'succeeds' };
  const { error } = result;
  if (!(error instanceof ServiceRefusedError)) throw error;
  // Without its fees or its nonce it may succeed.
  const isOfFees = mostPerGas(call) > 0n && (lacksFunds(error) || isUnderpriced(error));
  if (isOfFees || (call.nonce !== undefined && disputesNonce(error))) throw error;
  return outcomeOfRefusal(error);
}
