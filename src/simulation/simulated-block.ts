import { type PreviewNode } from './node';
import { type SimulatedCall, type Simulation } from '../core/decode/effects/outcome';
import { revertReason } from '../core/simulation/revert-reason';
import { isSameAddress, ZERO_ADDRESS } from '../core/eth/address';
import { delegationCode } from '../core/eth/authorization';
import { type Hex, quantityToHex, toHex } from '../core/eth/bytes';
import { type SimulatedResult, simulatedBlockStruct } from '../core/schemas/simulation';
import { accepted, unknown } from '../core/structs/struct';
import { CannotSimulateError, NONSENSE } from './failure';
import { type Read, type ReadResult } from './reads';

/** Quantities by their names in JSON-RPC, without those that are absent. */
const quantities = (values: Readonly<Record<string, bigint | undefined>>): Record<string, Hex> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, quantityToHex(value)]])),
  );

/** The JSON form of a call: all that the request says, as it says it. */
export const callParameter = ({ from, to, value, data, gas = {}, ...more }: SimulatedCall) => ({
  from,
  ...(to !== null && { to }),
  value: quantityToHex(value),
  data,
  ...quantities({
    gas: gas.limit,
    gasPrice: gas.gasPrice,
    maxFeePerGas: gas.maxFeePerGas,
    maxPriorityFeePerGas: gas.maxPriorityFeePerGas,
    nonce: more.nonce,
  }),
  ...(more.accessList && { accessList: more.accessList }),
  ...(more.authorizationList && {
    authorizationList: more.authorizationList.map(({ address, chainId, nonce, yParity, r, s }) => ({
      address,
      ...quantities({ chainId, nonce, yParity: BigInt(yParity), r, s }),
    })),
  }),
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
const READ_GAS = quantityToHex(510_000n);

/**
 * The program that makes the reads. Contracts cannot find it, because it has another random address in each simulation.
 *
 * With one word, an address, it returns the balance of the address: nodes differ in which transfers of coins they log
 * (anvil logs some that are undone, and not those of SELFDESTRUCT). With more, it makes a STATICCALL to the address
 * with the rest, so a contract that is read before the calls cannot note that, and behave in them.
 *
 * ```
 * 00 push 20, calldatasize, gt, push 10, jumpi             if (calldatasize > 32) goto 10
 * 07 0, calldataload, balance, 0, mstore, push 20, 0, return
 * 10 jumpdest, 0, 0, push 20, calldatasize, sub            ret: (0, 0); size = calldatasize - 32
 * 17 dup1, push 20, 0, calldatacopy                        memory[0..size] = calldata[32..]
 * 1c 0, 0, calldataload, gas, staticcall                   success = staticcall(gas, word, 0, size, 0, 0)
 * 21 returndatasize, 0, 0, returndatacopy
 * 27 returndatasize, 0, swap2, push 30, jumpi, swap1, revert
 * 30 jumpdest, swap1, return
 * ```
 */
const READER_PROGRAM = '0x602036116010573d35313d5260203df35b3d3d60203603806020'.concat(
  '3d373d3d355afa3d600060003e3d60009160305790fd5b90f3',
);

const randomHex = (bytes: number): Hex => toHex(crypto.getRandomValues(new Uint8Array(bytes)));

const wordOf = (address: Hex): string => address.slice(2).padStart(64, '0');

/** @returns The most that a call pays per gas, in wei; 0 if the request does not say. */
export const mostPerGas = ({ gas = {} }: Pick<SimulatedCall, 'gas'>): bigint => gas.maxFeePerGas ?? gas.gasPrice ?? 0n;

/** The most that an account pays for the gas that its calls use, in wei. Nodes differ in what they take. */
const mostFees = (account: Hex, calls: readonly SimulatedCall[], results: readonly SimulatedResult[]): bigint =>
  calls.reduce(
    (sum, call, at) =>
      isSameAddress(call.from, account)
        ? sum + BigInt(results[at]?.gasUsed ?? call.gas?.limit ?? 0n) * mostPerGas(call)
        : sum,
    0n,
  );

const succeeded = ({ status }: SimulatedResult): boolean => BigInt(status) === 1n;

const readResult = (result: SimulatedResult): ReadResult => (succeeded(result) ? result.returnData : undefined);

const balanceIn = (result: SimulatedResult | undefined): bigint | undefined =>
  result !== undefined && succeeded(result) && result.returnData.length === 66 ? BigInt(result.returnData) : undefined;

/** The node that simulates, and what is known of the network. */
export type SimulationContext = {
  readonly node: PreviewNode;
  readonly signal: AbortSignal;
  readonly baseFee: bigint | undefined;
};

/** The results of simulated calls, and of the reads around them. */
export type SimulatedBlock = {
  /** The reason why the first failing call fails, or undefined if all succeed. */
  readonly revert: string | undefined;
  readonly logs: SimulatedResult['logs'];
  /** The net change of the account's coins in wei, or undefined if its balance could not be read. */
  readonly native: bigint | undefined;
  /** The most that the node took from this balance for gas, in wei. */
  readonly mostFees: bigint;
  readonly before: readonly ReadResult[];
  readonly after: readonly ReadResult[];
};

/**
 * The reason why the first failing call fails. If one sender makes several calls, it says which one. (A user operation
 * that deploys its account is two calls of different senders.)
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
 * Simulates calls in order with `eth_simulateV1`, in a block on top of the latest one, without signatures. The balance
 * of the watched account is read before and after.
 *
 * @param baseFee - Of the block, in wei per gas: contracts can read it, and nodes use zero by default.
 * @throws {ServiceRefusedError} If the node responds with an error.
 * @throws {ServiceFailedError} If it does not respond.
 * @throws {CannotSimulateError} If its result is malformed.
 */
export async function simulateBlock(
  { calls, account, delegations }: Omit<Simulation, 'chainId'>,
  { before, after }: { readonly before: readonly Read[]; readonly after: readonly Read[] },
  { node, signal, baseFee }: SimulationContext,
): Promise<SimulatedBlock> {
  const reader = randomHex(20);
  const readParameter = ({ to, data }: Read) => ({
    from: ZERO_ADDRESS,
    to: reader,
    data: `0x${wordOf(to)}${data.slice(2)}`,
    gas: READ_GAS,
  });
  const balance: Read = { to: account, data: '0x' };
  const all = [
    ...[balance, ...before].map(readParameter),
    ...calls.map(callParameter),
    ...[balance, ...after].map(readParameter),
  ];
  const stateOverrides = { ...codeOverrides({ delegations }), [reader]: { code: READER_PROGRAM } };
  const blockOverrides = { prevRandao: randomHex(32), ...quantities({ baseFeePerGas: baseFee }) };
  const simulated = { blockOverrides, stateOverrides, calls: all };
  const options = { blockStateCalls: [simulated], traceTransfers: true, validation: false };
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
    mostFees: mostFees(account, calls, own),
    before: results.slice(1, first).map(readResult),
    after: results.slice(end + 1).map(readResult),
  };
}
