import { type PreviewNode } from './node';
import { type SimulatedCall, type Simulation } from '../../core/decode/outcome';
import { revertReason } from '../../core/decode/revert-reason';
import { isSameAddress, ZERO_ADDRESS } from '../../core/eth/address';
import { delegationCode } from '../../core/eth/authorization';
import { type Hex, quantityToHex } from '../../core/eth/bytes';
import { type SimulatedResult, simulatedBlockStruct } from '../../core/schemas/simulation';
import { accepted, unknown } from '../../core/schemas/struct';
import { CannotSimulateError, NONSENSE } from './failure';
import { type Read, type ReadResult } from './reads';

/** The JSON form of a call. */
export const callParameter = ({ from, to, value, data }: SimulatedCall) => ({
  from,
  ...(to !== null && { to }),
  value: quantityToHex(value),
  data,
});

/** The code that accounts have during the simulation, by address, in the form of a node's state overrides. */
export const codeOverrides = ({ delegations = [] }: Pick<Simulation, 'delegations'>): Record<Hex, { code: Hex }> =>
  Object.fromEntries(
    delegations.map(({ authority, address }) => [
      authority,
      { code: address === ZERO_ADDRESS ? '0x' : delegationCode(address) },
    ]),
  );

/**
 * Reads run as calls of nobody, so that they do not change the nonce of an account. The limit is ten times what tokens
 * behind a proxy use, and leaves the calls the gas of the block.
 */
const READ_GAS = quantityToHex(500_000n);
const readParameter = ({ to, data }: Read) => ({ from: ZERO_ADDRESS, to, data, gas: READ_GAS });

/**
 * An address where the simulation puts a program that returns the balance of an address: `BALANCE(CALLDATALOAD(0))`. Nodes
 * differ in which transfers of coins they log: anvil logs some that are undone, and not those of SELFDESTRUCT.
 */
const BALANCE_READER: Hex = '0x9f1eba1a9ce00000000000000000000000009f1e';
const BALANCE_PROGRAM = '0x5f35315f5260205ff3';

const succeeded = ({ status }: SimulatedResult): boolean => BigInt(status) === 1n;

const readResult = (result: SimulatedResult): ReadResult => (succeeded(result) ? result.returnData : undefined);

const balanceIn = (result: SimulatedResult | undefined): bigint | undefined =>
  result !== undefined && succeeded(result) && result.returnData.length === 66 ? BigInt(result.returnData) : undefined;

/** What came of simulated calls, and what was read around them. */
export type SimulatedBlock = {
  /** Why the first failing call fails, or undefined if all succeed. */
  readonly revert: string | undefined;
  readonly logs: SimulatedResult['logs'];
  /** The net change of the account's coins in wei, or undefined if its balance could not be read. */
  readonly native: bigint | undefined;
  readonly before: readonly ReadResult[];
  readonly after: readonly ReadResult[];
};

/**
 * Why the first failing call fails. If one sender makes several calls, it says which one. (A user operation that deploys
 * its account is two calls of different senders.)
 */
function revertOf(calls: readonly SimulatedCall[], results: readonly SimulatedResult[]): string | undefined {
  const at = results.findIndex((result) => !succeeded(result));
  const [result, call] = [results[at], calls[at]];
  if (result === undefined || call === undefined) return undefined;
  const { error, returnData } = result;
  const data = returnData === '0x' ? error?.data : returnData;
  const reason = revertReason(data, error?.message);
  const own = calls.filter(({ from }) => isSameAddress(from, call.from));
  return own.length === 1 ? reason : `call ${own.indexOf(call) + 1}: ${reason}`;
}

/**
 * Simulates calls in order with `eth_simulateV1`, in a block on top of the latest one, without fees and signatures. The
 * balance of the watched account is read before and after.
 *
 * @throws {ServiceRefusedError} If the node responds with an error.
 * @throws {ServiceFailedError} If it does not respond.
 * @throws {CannotSimulateError} If its result is malformed.
 */
export async function simulateBlock(
  { calls, account, delegations }: Omit<Simulation, 'chainId'>,
  { before, after }: { readonly before: readonly Read[]; readonly after: readonly Read[] },
  { node, signal }: { readonly node: PreviewNode; readonly signal: AbortSignal },
): Promise<SimulatedBlock> {
  const balance: Read = { to: BALANCE_READER, data: `0x${account.slice(2).padStart(64, '0')}` };
  const all = [
    ...[balance, ...before].map(readParameter),
    ...calls.map(callParameter),
    ...[balance, ...after].map(readParameter),
  ];
  const stateOverrides = { ...codeOverrides({ delegations }), [BALANCE_READER]: { code: BALANCE_PROGRAM } };
  const options = { blockStateCalls: [{ stateOverrides, calls: all }], traceTransfers: true, validation: false };
  const answer = accepted(
    simulatedBlockStruct(all.length),
    await node.ask('eth_simulateV1', [options, 'latest'], unknown(), signal),
  );
  if (answer === undefined) throw new CannotSimulateError(NONSENSE);
  const results = answer.flatMap((block) => block.calls);
  const first = 1 + before.length;
  const end = first + calls.length;
  const own = results.slice(first, end);
  const [had, has] = [balanceIn(results[0]), balanceIn(results[end])];
  return {
    revert: revertOf(calls, own),
    logs: own.flatMap(({ logs }) => logs),
    native: had === undefined || has === undefined ? undefined : has - had,
    before: results.slice(1, first).map(readResult),
    after: results.slice(end + 1).map(readResult),
  };
}
