import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleType } from 'cockatiel';
import type { Logger } from 'pino';

import type { FailoverConfig, NodeConfig } from '../config';
import { RpcError } from '../errors';
import type { Written } from '../json-text';
import { untilDeadline } from '../deadline';
import { type AnswerRoom, Upstream, type UpstreamObserver } from '../upstream';
import { UpstreamFailure } from '../upstream-failure';
import { isBuiltIn } from './node-methods';

/** What the last check of a node found. A node on another chain is never used. */
type Health = 'unknown' | 'up' | 'down' | 'wrong chain';

/** The state of a node, as `/readyz` and the metrics report it. */
export type NodeState = Health | 'lagging' | 'circuit open';

/** The answer of a node: a result, or a JSON-RPC error, which is an answer too. */
type Outcome<Result> = { result: Result } | { error: RpcError };

export type ChainNodeOptions = {
  /** Host and port, for the log and the metrics: the address may contain a key. */
  label: string;
  config: NodeConfig;
  failover: FailoverConfig;
  chainId: number;
  /** Whether its latest block is worth asking for: only to compare it with other nodes. */
  asksHead: boolean;
  observe: UpstreamObserver;
  /** Called whenever its state may have changed. */
  onState: (node: ChainNode) => void;
  log: Logger;
};

const QUANTITY = /^0x[0-9a-f]{1,64}$/iu;

/** @throws {UpstreamFailure} If it is not a quantity. */
function quantityOf({ value }: Written, method: string): bigint {
  if (typeof value === 'string' && QUANTITY.test(value)) return BigInt(value);
  throw new UpstreamFailure('unreachable', `sent an invalid response to ${method}`);
}

/** A node of a network: its connection, what its last check found, and its circuit breaker. */
export class ChainNode {
  readonly label: string;
  readonly config: NodeConfig;
  /** Its latest block, as of the last check; undefined while it is not up. */
  head: bigint | undefined;
  readonly #options: ChainNodeOptions;
  readonly #upstream: Upstream;
  readonly #circuit;
  #health: Health = 'unknown';
  #isLagging = false;
  #checking: Promise<void> | undefined;
  #closed = false;

  constructor(options: ChainNodeOptions) {
    const { label, config, failover, observe, onState, log } = options;
    this.label = label;
    this.config = config;
    this.#options = options;
    this.#upstream = new Upstream('node', config, observe);
    this.#circuit = circuitBreaker(
      // A try that ran out of time has not shown that the node works again.
      handleType(
        UpstreamFailure,
        ({ isFinal, outcome }) => !isFinal || (outcome === 'timeout' && this.circuit === 0.5),
      ),
      {
        breaker: new ConsecutiveBreaker(failover.failures),
        halfOpenAfter: failover.breakMs,
      },
    );
    this.#circuit.onStateChange((state) => {
      log.warn({ node: label, circuit: CircuitState[state] }, "the node's circuit breaker changed");
      onState(this);
    });
  }

  get state(): NodeState {
    if (this.#health !== 'up') return this.#health;
    if (this.#circuit.state !== CircuitState.Closed) return 'circuit open';
    return this.#isLagging ? 'lagging' : 'up';
  }

  /** Whether its last check found it on the right chain. */
  get isUp(): boolean {
    return this.#health === 'up';
  }

  /** 0 closed, 0.5 while one request tries whether it may close, 1 open. */
  get circuit(): number {
    const values = { [CircuitState.Closed]: 0, [CircuitState.HalfOpen]: 0.5 } as Partial<Record<CircuitState, number>>;
    return values[this.#circuit.state] ?? 1;
  }

  /** @returns Whether its operator's list has the method; without a list, whether the built-in one does. */
  passes(method: string): boolean {
    return this.config.methods?.includes(method) ?? isBuiltIn(method);
  }

  /**
   * Sends a request. A node that was not up at its last check is checked first, so that none on another chain is used.
   *
   * @param isForced - Whether to ask even if the circuit breaker is open.
   * @param deadline - When the request must be answered, in milliseconds of `performance.now`.
   * @param room - For the answer.
   * @returns The `result`.
   * @throws {RpcError} The node's own error, which is an answer.
   * @throws {UpstreamFailure} If the node failed.
   * @throws {BrokenCircuitError} If the circuit breaker is open.
   */
  async ask(
    method: string,
    params: string,
    isForced: boolean,
    deadline = Infinity,
    room?: AnswerRoom,
  ): Promise<Written> {
    return this.#send(isForced, deadline, () => this.#upstream.ask(method, params, deadline, room));
  }

  /**
   * Like {@link ask}, for a batch of requests for one method.
   *
   * @returns The result of each request, or the node's own error.
   */
  async askAll(
    method: string,
    params: readonly string[],
    isForced: boolean,
    deadline = Infinity,
  ): Promise<(Written | RpcError)[]> {
    return this.#send(isForced, deadline, () => this.#upstream.askAll(method, params, deadline));
  }

  async #send<Result>(isForced: boolean, deadline: number, ask: () => Promise<Result>): Promise<Result> {
    if (!isForced && this.#circuit.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    if (this.#health !== 'up') await this.#checkFirst(deadline);
    const send = async (): Promise<Outcome<Result>> => {
      try {
        return { result: await ask() };
      } catch (error) {
        if (error instanceof RpcError) return { error };
        if (error instanceof UpstreamFailure && !error.isFinal) this.#checkSoon();
        throw error;
      }
    };
    const outcome = await (isForced ? send() : this.#circuit.execute(send));
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  /**
   * Asks for the chain ID, and for the latest block. Concurrent calls share one check.
   *
   * @throws {UpstreamFailure} If the node failed or serves another chain.
   */
  async check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /**
   * Called once all nodes have been checked.
   *
   * @param best - The highest of their latest blocks.
   * @param lagBlocks - A node more blocks than this behind is lagging.
   */
  compareWith(best: bigint, lagBlocks: bigint): void {
    const isLagging = this.head !== undefined && best - this.head > lagBlocks;
    if (isLagging && !this.#isLagging)
      this.#options.log.warn({ node: this.label, behind: String(best - (this.head ?? 0n)) }, 'the node lags behind');
    this.#isLagging = isLagging;
  }

  /** Fails like the check, but the request itself was not sent. */
  async #checkFirst(deadline: number): Promise<void> {
    try {
      await untilDeadline(this.check(), deadline);
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      const { outcome, message, answer, isFinal } = error;
      throw new UpstreamFailure(outcome, message, {
        cause: error,
        isUnexecuted: true,
        isFinal,
        ...(answer && { answer }),
      });
    }
  }

  #checkSoon(): void {
    if (!this.#closed) void this.check().catch(() => undefined);
  }

  async #check(): Promise<void> {
    const { chainId, asksHead } = this.#options;
    let chain: bigint;
    let head: bigint | undefined;
    try {
      chain = await this.#quantity('eth_chainId');
      if (asksHead && chain === BigInt(chainId)) head = await this.#quantity('eth_blockNumber');
    } catch (error) {
      this.#found('down', undefined, { reason: error instanceof Error ? error.message : String(error) });
      throw error;
    }
    if (chain !== BigInt(chainId)) {
      this.#found('wrong chain', undefined, { chain: String(chain), expected: String(chainId) });
      throw new UpstreamFailure('unreachable', 'serves another chain', { isUnexecuted: true });
    }
    this.#found('up', head);
  }

  async #quantity(method: string): Promise<bigint> {
    const { config, failover } = this.#options;
    const timeoutMs = Math.min(config.timeoutMs, failover.checkMs);
    try {
      return quantityOf(await this.#upstream.request(method, '[]', timeoutMs), method);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new UpstreamFailure('unreachable', `refused ${method}`, { cause: error });
    }
  }

  #found(health: Health, head: bigint | undefined, details: object = {}): void {
    const changed = health !== this.#health;
    this.#health = health;
    this.head = head;
    if (changed && !this.#closed) {
      const { log } = this.#options;
      if (health === 'up') log.info({ node: this.label }, 'the node is up');
      else
        log.warn(
          { node: this.label, ...details },
          health === 'down' ? 'the node is down' : 'the node serves another chain',
        );
    }
    this.#options.onState(this);
  }

  close(): void {
    this.#closed = true;
    this.#upstream.close();
  }
}
