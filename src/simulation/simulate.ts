import { getContractAddress, size } from 'viem/utils';

import { within } from '../clients/within';
import { LruCache } from '../core/lru-cache';
import { type BaseFee, nextBaseFee } from './base-fee';
import { type PreviewNode, TIME_LIMIT } from './node';
import { type AssetEvents, assetEvents } from '../core/simulation/asset-logs';
import { type IsKnownToken, withinRoom } from '../core/simulation/reading-order';
import { type Outcome, type SimulatedCall, type Simulation } from '../core/decode/effects/outcome';
import { isSameAddress } from '../core/eth/address';
import { type Hex } from '../core/eth/bytes';
import { ServiceRefusedError } from '../core/errors';
import { QuantityAnswerStruct } from '../core/structs/hex';
import {
  CannotSimulateError,
  disputesNonce,
  isUnderpriced,
  lacksFunds,
  lacksIntrinsicGas,
  lacksMethod,
  outcomeOfError,
  outcomeOfRefusal,
} from './failure';
import { simulateAlone } from './fallback';
import { Reads } from './reads';
import { mostPerGas, type SimulatedBlock, simulateBlock, type SimulationContext } from './simulated-block';

/** The URLs of nodes that were found to lack `eth_simulateV1`. */
const withoutSimulation = new LruCache<string, true>(32);

type Context = SimulationContext & { readonly isKnown: IsKnownToken };
const NO_READS = { before: [], after: [] };

/** The addresses of the contracts that calls create, by the nonces of their senders. */
async function createdBy(calls: readonly SimulatedCall[], { node, signal }: Context): Promise<Hex[]> {
  return Promise.all(
    calls.flatMap(({ from, to, nonce: own }, at) => {
      if (to !== null) return [];
      if (own !== undefined) return [Promise.resolve(getContractAddress({ from, nonce: own }))];
      const earlier = calls.slice(0, at).filter((call) => isSameAddress(call.from, from)).length;
      const nonce = node.ask('eth_getTransactionCount', [from, 'latest'], QuantityAnswerStruct, signal);
      return [nonce.then((count) => getContractAddress({ from, nonce: BigInt(count) + BigInt(earlier) }))];
    }),
  );
}

async function assertChain({ chainId }: Simulation, { node, signal }: Context): Promise<void> {
  if ((await node.chainId(signal)) !== chainId) throw new CannotSimulateError('the node serves another network');
}

/** The first round: what the calls do by their logs; undefined if the node has to be asked in another way. */
async function simulateLogs(simulation: Simulation, context: Context): Promise<SimulatedBlock | undefined> {
  const { calls } = simulation;
  try {
    return await simulateBlock(simulation, NO_READS, context);
  } catch (error) {
    if (!(error instanceof ServiceRefusedError)) throw error;
    if (lacksMethod(error)) {
      withoutSimulation.set(context.node.url, true);
      return undefined;
    }
    // Some nodes, such as anvil, have the method but refuse to create contracts in it.
    if (calls.length === 1 && calls[0]?.to === null) return undefined;
    throw error;
  }
}

/**
 * The net change of the account's coins, without fees. If the balance falls short of the logs by no more than the fees,
 * the difference is the fees. Otherwise, the logs are wrong.
 */
function nativeIn({ native, mostFees }: SimulatedBlock, { native: logged }: Pick<AssetEvents, 'native'>): bigint {
  const isFee = native !== undefined && logged >= native && logged - native <= mostFees;
  return native === undefined || isFee ? logged : native;
}

async function outcomeOf(simulation: Simulation, context: Context): Promise<Outcome> {
  const { calls, account } = simulation;
  if (withoutSimulation.get(context.node.url) === true) {
    const alone = simulateAlone(simulation, context);
    const [outcome] = await Promise.all([alone, assertChain(simulation, context)]);
    return outcome;
  }
  const [block, creates] = await Promise.all([
    simulateLogs(simulation, context),
    createdBy(calls, context),
    assertChain(simulation, context),
  ]);
  if (block === undefined) return simulateAlone(simulation, context);
  if (block.revert !== undefined) return { kind: 'reverts', reason: block.revert };
  const events = await withinRoom(assetEvents(block.logs, account), context.isKnown);
  const reads = new Reads(events, account);
  // The second round: the same calls, with balances read around them.
  const last = reads.isEmpty ? block : await simulateBlock(simulation, reads, context);
  if (last.revert !== undefined) return { kind: 'reverts', reason: last.revert };
  const changes = reads.changes(last.before, last.after, { native: nativeIn(last, events), creates });
  return { kind: 'changes', changes: { ...changes, ...(events.unread && { unread: events.unread }) } };
}

/**
 * The same without what a node refuses, if that is no part of what the calls do: fees that the account cannot pay, or
 * that are below the base fee, and a nonce that is not the next one. The explanation says so itself.
 *
 * @returns Undefined if there is nothing to leave out.
 */
function withoutRefused({ calls, ...others }: Simulation, refusal: ServiceRefusedError): Simulation | undefined {
  if (disputesNonce(refusal) && calls.some(({ nonce }) => nonce !== undefined))
    return { ...others, calls: calls.map(({ nonce: _nonce, ...call }) => call) };
  if ((!lacksFunds(refusal) && !isUnderpriced(refusal)) || calls.every((call) => mostPerGas(call) === 0n))
    return undefined;
  const unpaid = calls.map(({ gas, ...call }) => ({ ...call, ...(gas?.limit && { gas: { limit: gas.limit } }) }));
  return { ...others, calls: unpaid };
}

/** The most that a transaction needs at least, by its data (EIP-7976). Less is enough where the fork is not yet. */
const floorOf = (data: Hex): bigint => 21_000n + 64n * BigInt(size(data));

/** The same with the gas that the data needs at least: the calls of a bundle share it. */
const withFloor = ({ calls, ...others }: Simulation): Simulation => ({
  ...others,
  calls: calls.map((call) => {
    const floor = floorOf(call.data);
    return call.gas?.limit === undefined || call.gas.limit >= floor
      ? call
      : { ...call, gas: { ...call.gas, limit: floor } };
  }),
});

/** The same, with errors as outcomes. */
async function settledOutcome(simulation: Simulation, context: Context, isRaised = false): Promise<Outcome> {
  try {
    return await outcomeOf(simulation, context);
  } catch (error) {
    if (!(error instanceof ServiceRefusedError)) return outcomeOfError(error);
    const hasGas = simulation.calls.some(({ gas }) => gas !== undefined);
    if (hasGas && !isRaised && lacksIntrinsicGas(error)) return settledOutcome(withFloor(simulation), context, true);
    const left = withoutRefused(simulation, error);
    return left === undefined ? outcomeOfRefusal(error) : settledOutcome(left, context, isRaised);
  }
}

const LATE: Outcome = { kind: 'unknown', why: `the node did not respond within ${TIME_LIMIT / 1000} s` };

type SimulationOptions = {
  readonly signal?: AbortSignal;
  readonly baseFee?: Promise<BaseFee>;
  readonly isKnown?: IsKnownToken;
};

/**
 * Simulates calls on a node, in at most two rounds of requests and 2.5 seconds, once the base fee is known. The first
 * tells whether they succeed and which assets they touch, the second what the account's balances really are before and
 * after, so that tokens with fees and tokens that log untruths are shown as they are. It never throws.
 *
 * A node that lacks `eth_simulateV1` is asked by `debug_traceCall` and `eth_call` (see {@link simulateAlone}).
 *
 * @param node - The network's node. What it responds is not trusted, apart from its numbers.
 * @param options.signal - Ends the simulation early, as unknown.
 * @param options.baseFee - Of the network's next block, where it is asked for already. It must not reject.
 * @param options.isKnown - Tells known tokens, which are read first if there are too many. Default: none.
 */
export async function simulate(
  simulation: Simulation,
  node: PreviewNode,
  { signal, baseFee = nextBaseFee(node), isKnown = () => false }: SimulationOptions = {},
): Promise<Outcome> {
  return within<Outcome>(
    TIME_LIMIT,
    async (ended) => {
      const fee = await baseFee;
      // A node that says nothing of its latest block is not asked for more: nobody would wait for it.
      return fee === 'late' ? LATE : settledOutcome(simulation, { node, signal: ended, baseFee: fee, isKnown });
    },
    (why) => (why === 'late' ? LATE : { kind: 'unknown', why: 'the simulation was cancelled' }),
    signal,
  );
}
