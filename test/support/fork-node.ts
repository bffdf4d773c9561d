import {
  encodeAbiParameters,
  type Hex,
  keccak256,
  pad,
  parseTransaction,
  recoverTransactionAddress,
  size,
  toHex,
  type TransactionSerialized,
} from 'viem';
import { recoverAuthorizationAddress } from 'viem/utils';

import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { delegateIn } from '../../src/core/eth/authorization';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from './simulated-node';

const lower = (address: string) => address.toLowerCase() as Hex;

/** Where nodes log transfers of coins in simulations, and where the network itself does (EIP-7708). */
export const TRACED: Hex = `0x${'e'.repeat(40)}`;
export const SYSTEM: Hex = `0x${'f'.repeat(39)}e`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** The rules of a network, and what its node logs of transfers of coins: where, in simulations and in receipts. */
export type Rules = { readonly fork: 'Osaka' | 'Amsterdam'; readonly simulated: readonly Hex[] };

export const RULES = {
  'the old rules': { fork: 'Osaka', simulated: [TRACED] },
  'the new rules': { fork: 'Amsterdam', simulated: [SYSTEM] },
  'the transition, with both logs': { fork: 'Amsterdam', simulated: [TRACED, SYSTEM] },
  'the transition, with the old log only': { fork: 'Amsterdam', simulated: [TRACED] },
  'the transition, with no log': { fork: 'Osaka', simulated: [] },
} satisfies Record<string, Rules>;

/** What a call of a contract does, beside receiving its value. */
export type Behaviour = {
  /** Execution gas without what it creates. */
  readonly gas: bigint;
  /** Storage slots that it fills for the first time, and accounts that it creates. */
  readonly slots?: number;
  readonly accounts?: number;
  /** Coins that it sends on, in wei. */
  readonly pays?: readonly (readonly [to: Hex, amount: bigint])[];
};

type Account = { balance: bigint; nonce: number; code: Hex };
type Authority = { readonly isNew: boolean; readonly isDelegated: boolean };

/** A transaction, as far as its gas depends on it. */
type Call = {
  readonly from: Hex;
  readonly to?: Hex | undefined;
  readonly value: bigint;
  readonly data: Hex;
  readonly authorities: readonly Authority[];
};

/** Gas by what it is for: execution, which has a cap (EIP-7825), and state (EIP-8037); and the least for the data. */
type Gas = { readonly execution: bigint; readonly state: bigint; readonly floor: bigint };

const GET_NONCE = '0x35567e1a';
const CAP = 1n << 24n;
const BYTE_OF_STATE = 1530n;
const NEW_ACCOUNT = 120n * BYTE_OF_STATE;
const NEW_SLOT = 64n * BYTE_OF_STATE;
const DELEGATION = 23n * BYTE_OF_STATE;

const totalOf = ({ execution, state, floor }: Gas) => (execution + state > floor ? execution + state : floor);
const sum = (values: readonly bigint[]) => values.reduce((total, each) => total + each, 0n);

/** Zero and other bytes. */
function bytesIn(data: Hex): { zeros: bigint; others: bigint } {
  const bytes = data.slice(2).match(/../gu) ?? [];
  const zeros = bytes.filter((byte) => byte === '00').length;
  return { zeros: BigInt(zeros), others: BigInt(bytes.length - zeros) };
}

/** The intrinsic gas before Amsterdam (EIP-2028, 2930, 3860, 7623, 7702). */
function osakaGas({ to, data, authorities }: Call, doing: Behaviour): Gas {
  const { zeros, others } = bytesIn(data);
  const { gas, slots = 0, accounts = 0 } = doing;
  const creation = to === undefined ? 32_000n + 2n * BigInt(Math.ceil(size(data) / 32)) : 0n;
  const own = 21_000n + 4n * zeros + 16n * others + creation + 25_000n * BigInt(authorities.length);
  const done = gas + 20_000n * BigInt(slots) + 25_000n * BigInt(accounts);
  return { execution: own + done, state: 0n, floor: 21_000n + 10n * zeros + 40n * others };
}

/** The gas from Amsterdam on (EIP-2780, 8037, 8038, 7976). */
function amsterdamGas(call: Call, doing: Behaviour, recipient: Account | undefined): Gas {
  const { from, to, value, data, authorities } = call;
  const { zeros, others } = bytesIn(data);
  const { gas, slots = 0, accounts = 0 } = doing;
  const isOther = to !== undefined && lower(to) !== lower(from);
  const isDelegated = delegateIn(recipient?.code ?? '0x') !== undefined;
  const base =
    12_000n +
    (to === undefined ? 12_000n : 0n) +
    (isOther ? 3_000n : 0n) +
    (isOther && value > 0n ? 6_000n : 0n) +
    (isOther && isDelegated ? 3_000n : 0n);
  const creates = to === undefined || (isOther && value > 0n && recipient === undefined);
  return {
    execution:
      base +
      4n * zeros +
      16n * others +
      gas +
      2_900n * BigInt(slots) +
      sum(authorities.map(({ isNew }) => (isNew ? 7_816n : 9_000n))),
    state:
      (creates ? NEW_ACCOUNT : 0n) +
      NEW_SLOT * BigInt(slots) +
      NEW_ACCOUNT * BigInt(accounts) +
      sum(authorities.map((one) => (one.isNew ? NEW_ACCOUNT : 0n) + (one.isDelegated ? 0n : DELEGATION))),
    floor: base + 64n * (zeros + others),
  };
}

/** A transaction that was included. */
export type Included = {
  readonly hash: Hex;
  readonly to: Hex | undefined;
  readonly value: bigint;
  readonly gas: bigint;
  readonly isSuccess: boolean;
};

type Json = Readonly<Record<string, unknown>>;
const big = (value: unknown) => BigInt((value ?? 0) as Hex);
const word = (value: bigint | Hex): Hex => (typeof value === 'bigint' ? toHex(value, { size: 32 }) : pad(value));
const quantity = (value: bigint) => toHex(value);

/** The gas of operations, which no other part of this node simulates: a bundler says it by the rules of its network. */
export const OPERATION_GAS = {
  Osaka: { callGasLimit: 60_000n, verificationGasLimit: 90_000n, preVerificationGas: 50_000n },
  Amsterdam: { callGasLimit: 244_000n, verificationGasLimit: 290_000n, preVerificationGas: 60_000n },
} as const;

/**
 * A simulated node and bundler on a chain of its own, with the gas and the logs of chosen rules: it estimates, includes
 * or refuses transactions, and simulates calls as nodes do. Contracts do what a test says.
 */
export class ForkNode {
  readonly accounts = new Map<Hex, Account>();
  readonly behaviours = new Map<Hex, Behaviour>();
  readonly included: Included[] = [];
  readonly operations: Json[] = [];
  readonly #rules: Rules;
  readonly #receipts = new Map<Hex, object>();

  private constructor(rules: Rules) {
    this.#rules = rules;
  }

  static async start(rules: Rules): Promise<{ readonly fork: ForkNode; readonly server: SimulatedNode }> {
    const fork = new ForkNode(rules);
    return { fork, server: await startSimulatedNode(fork.#answers()) };
  }

  /** Gives an account coins, and code. */
  fund(address: Hex, balance: bigint, code: Hex = '0x'): void {
    this.accounts.set(lower(address), { balance, nonce: 0, code });
  }

  #of(address: Hex): Account | undefined {
    return this.accounts.get(lower(address));
  }

  #doing({ to }: Pick<Call, 'to'>): Behaviour {
    return (to && this.behaviours.get(lower(to))) ?? { gas: 0n };
  }

  /** The gas that a transaction needs. */
  gasOf(call: Call): Gas {
    const doing = this.#doing(call);
    if (this.#rules.fork === 'Osaka') return osakaGas(call, doing);
    return amsterdamGas(call, doing, call.to && this.#of(call.to));
  }

  #authority(address: Hex | undefined): Authority {
    const account = address && this.#of(address);
    return { isNew: account === undefined, isDelegated: delegateIn(account?.code ?? '0x') !== undefined };
  }

  #call(given: unknown): Call {
    const { from = pad('0x', { size: 20 }), to, value, data, input, authorizationList = [] } = given as Json;
    // The authorities of an estimate are unknown: what they cost at most is charged.
    const authorities = (authorizationList as unknown[]).map(() => ({ isNew: true, isDelegated: false }));
    return {
      from: from as Hex,
      to: to as Hex | undefined,
      value: big(value),
      data: (data ?? input ?? '0x') as Hex,
      authorities,
    };
  }

  #estimate(params: readonly unknown[]): Hex {
    const call = this.#call(params[0]);
    const gas = this.gasOf(call);
    if (big(call.value) > (this.#of(call.from)?.balance ?? 0n))
      throw new NodeRefusal('insufficient funds for transfer', -32000);
    if (gas.execution > CAP) throw new NodeRefusal(`gas required exceeds allowance (${CAP})`, -32000);
    return quantity(totalOf(gas));
  }

  /** Moves the coins of a call, and returns the transfers. */
  #move(call: Call, balances: (address: Hex, change: bigint) => void): [from: Hex, to: Hex, amount: bigint][] {
    const to = call.to ?? (keccak256(call.data).slice(0, 42) as Hex);
    const own: [Hex, Hex, bigint][] = [[call.from, to, call.value]];
    const paid = (this.#doing(call).pays ?? []).map(([payee, amount]): [Hex, Hex, bigint] => [to, payee, amount]);
    const all = [...own, ...paid].filter(([, , amount]) => amount > 0n);
    for (const [from, payee, amount] of all) {
      balances(from, -amount);
      balances(payee, amount);
    }
    return all;
  }

  #change(address: Hex, change: bigint): void {
    const account = this.#of(address) ?? { balance: 0n, nonce: 0, code: '0x' };
    this.accounts.set(lower(address), { ...account, balance: account.balance + change });
  }

  async #include(raw: Hex): Promise<Hex> {
    const tx = parseTransaction(raw as TransactionSerialized);
    const from = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized });
    const { gas = 0n, value = 0n, data = '0x', to } = tx;
    const price = tx.maxFeePerGas ?? tx.gasPrice ?? 0n;
    const list = 'authorizationList' in tx ? (tx.authorizationList ?? []) : [];
    const signers = await Promise.all(list.map((authorization) => recoverAuthorizationAddress({ authorization })));
    const authorities = signers.map((signer) => this.#authority(signer));
    const call = { from, to: to ?? undefined, value, data, authorities };
    const needed = this.gasOf(call);
    const isNewRule = this.#rules.fork === 'Amsterdam';
    const own = isNewRule
      ? amsterdamGas(call, { gas: 0n }, to ? this.#of(to) : undefined)
      : osakaGas(call, { gas: 0n });
    if ((isNewRule ? own.execution : gas) > CAP)
      throw new NodeRefusal(`transaction gas limit too high (cap: ${CAP}, tx: ${gas})`, -32000);
    if (gas < own.execution) throw new NodeRefusal('intrinsic gas too low', -32000);
    if (gas < own.floor) throw new NodeRefusal('insufficient gas for floor data gas cost', -32000);
    if (gas * price + value > (this.#of(from)?.balance ?? 0n))
      throw new NodeRefusal('insufficient funds for gas * price + value', -32000);
    const isSuccess = gas >= totalOf(needed) && needed.execution <= CAP;
    const transfers = isSuccess
      ? this.#move(call, (address, change) => {
          this.#change(address, change);
        })
      : [];
    this.#change(from, -(isSuccess ? totalOf(needed) : gas) * price);
    for (const [at, signer] of signers.entries()) {
      const { balance, nonce } = this.#of(signer) ?? { balance: 0n, nonce: 0 };
      const delegate = list[at]!.address;
      this.accounts.set(lower(signer), {
        balance,
        nonce,
        code: big(delegate) === 0n ? '0x' : `0xef0100${delegate.slice(2)}`,
      });
    }
    const sender = this.#of(from)!;
    this.accounts.set(lower(from), { ...sender, nonce: sender.nonce + 1 });
    const hash = keccak256(raw);
    this.included.push({ hash, to: to ?? undefined, value, gas, isSuccess });
    this.#receipts.set(hash, {
      transactionHash: hash,
      blockHash: pad('0xbb'),
      blockNumber: '0x11',
      gasUsed: quantity(totalOf(needed)),
      status: isSuccess ? '0x1' : '0x0',
      logs: isNewRule ? transfers.map((each) => this.#log(SYSTEM, each)) : [],
    });
    return hash;
  }

  #log(address: Hex, [from, to, amount]: readonly [Hex, Hex, bigint]): object {
    return { address, topics: [TRANSFER, word(lower(from)), word(lower(to))], data: word(amount) };
  }

  /** One block of `eth_simulateV1`, after which nothing has changed. */
  #simulate(params: readonly unknown[]): object[] {
    const { blockStateCalls, traceTransfers } = params[0] as {
      blockStateCalls: { calls: Json[] }[];
      traceTransfers?: boolean;
    };
    const changes = new Map<Hex, bigint>();
    const change = (address: Hex, by: bigint) =>
      void changes.set(lower(address), (changes.get(lower(address)) ?? 0n) + by);
    const places = this.#rules.simulated.filter((place) => place === SYSTEM || traceTransfers === true);
    const calls = blockStateCalls[0]!.calls.map((given) => {
      const call = this.#call(given);
      // A read of Keystead's: of a balance, or of a contract that has nothing to say.
      if (big(call.from) === 0n) {
        const address = `0x${call.data.slice(26, 66)}` as const;
        const balance = (this.#of(address)?.balance ?? 0n) + (changes.get(lower(address)) ?? 0n);
        return {
          status: '0x1',
          returnData: size(call.data) === 32 ? word(balance) : '0x',
          gasUsed: '0x5208',
          logs: [],
        };
      }
      const needed = this.gasOf(call);
      const limit = given['gas'] === undefined ? undefined : big(given['gas']);
      if (limit !== undefined && limit < needed.floor)
        throw new NodeRefusal(`intrinsic gas too low: have ${limit}, want ${needed.floor}`, -38013);
      if (limit !== undefined && limit < totalOf(needed))
        return {
          status: '0x0',
          returnData: '0x',
          gasUsed: quantity(limit),
          logs: [],
          error: { code: -32015, message: 'out of gas' },
        };
      const transfers = this.#move(call, change);
      const logs = transfers.flatMap((transfer) => places.map((place) => this.#log(place, transfer)));
      return { status: '0x1', returnData: '0x', gasUsed: quantity(totalOf(needed)), logs };
    });
    return [{ number: '0x11', calls }];
  }

  /** `debug_traceCall` with logs: those of the network itself are among them. */
  #trace(params: readonly unknown[]): object {
    const call = this.#call(params[0]);
    const transfers = this.#move(call, () => undefined);
    const inner = transfers.filter(([from]) => lower(from) !== lower(call.from));
    const logs = this.#rules.fork === 'Amsterdam' ? transfers.map((each) => this.#log(SYSTEM, each)) : [];
    const frames = inner.map(([from, to, value]) => ({ type: 'CALL', from, to, value: quantity(value), input: '0x' }));
    return {
      type: 'CALL',
      from: call.from,
      to: call.to,
      value: quantity(call.value),
      input: call.data,
      logs,
      calls: frames,
    };
  }

  #operation(operation: Json): Hex {
    const needed = OPERATION_GAS[this.#rules.fork];
    for (const [name, gas] of Object.entries(needed))
      if (big(operation[name]) < gas) throw new NodeRefusal(`${name} is too low`, -32602);
    this.operations.push(operation);
    return keccak256(encodeAbiParameters([{ type: 'string' }], [JSON.stringify(operation)]));
  }

  #answers(): Parameters<typeof startSimulatedNode>[0] {
    return {
      eth_estimateGas: (params) => this.#estimate(params),
      eth_getBalance: ([address]) => quantity(this.#of(address as Hex)?.balance ?? 0n),
      eth_getTransactionCount: ([address]) => quantity(BigInt(this.#of(address as Hex)?.nonce ?? 0)),
      eth_getCode: ([address]) => this.#of(address as Hex)?.code ?? '0x',
      // The next nonce of an account, or else what a delegate's entryPoint() says.
      eth_call: ([call]) =>
        String((call as Json)['data']).startsWith(GET_NONCE) ? pad('0x0') : pad(ENTRY_POINTS['0.8']),
      eth_getBlockByNumber: () => ({
        number: '0x10',
        baseFeePerGas: '0x3b9aca00',
        requestsHash: pad('0x1'),
        ...(this.#rules.fork === 'Amsterdam' && { blockAccessListHash: pad('0x2'), slotNumber: '0x99' }),
      }),
      eth_sendRawTransaction: ([raw]) => this.#include(raw as Hex),
      eth_getTransactionReceipt: ([hash]) => this.#receipts.get(hash as Hex) ?? null,
      eth_simulateV1: (params) => this.#simulate(params),
      debug_traceCall: (params) => this.#trace(params),
      eth_estimateUserOperationGas: () =>
        Object.fromEntries(Object.entries(OPERATION_GAS[this.#rules.fork]).map(([name, gas]) => [name, quantity(gas)])),
      eth_sendUserOperation: ([operation]) => this.#operation(operation as Json),
    };
  }
}
