import { BrokenCircuitError } from 'cockatiel';
import type { Logger } from 'pino';

import type { Hash } from '../archive/hashing';
import { nodesOf, type NetworkConfig } from '../config';
import { RpcError } from '../errors';
import type { Written } from '../json-text';
import type { RpcMetrics } from '../metrics';
import { outOfTime } from '../deadline';
import type { AnswerRoom } from '../upstream';
import { UpstreamFailure } from '../upstream-failure';
import { ChainNode, type NodeState } from './chain-node';
import { isBuiltIn } from './node-methods';
import { hasTransaction, transactionHash } from './sent-transaction';

const SEND = 'eth_sendRawTransaction';

/** The order in which nodes are asked. A node on another chain is never asked. */
const RANKS: Readonly<Record<Exclude<NodeState, 'wrong chain'>, number>> = {
  up: 0,
  // Its breaker refuses the request, or lets it try whether the node works again.
  'circuit open': 0,
  lagging: 1,
  unknown: 2,
  down: 2,
};

const WRONG_CHAIN = new UpstreamFailure('unreachable', 'serves another chain', { isUnexecuted: true });

/** @returns Host and port of each address, which contain no key; a repeated host gets a number. */
function labelsOf(urls: readonly string[]): string[] {
  const hosts = urls.map((url) => new URL(url).host);
  return hosts.map((host, i) => {
    const earlier = hosts.slice(0, i).filter((other) => other === host).length;
    return earlier === 0 ? host : `${host} (${earlier + 1})`;
  });
}

/** The nodes of a network, in order of preference. */
export class ChainNodes {
  readonly all: readonly ChainNode[];
  readonly #lagBlocks: bigint;
  readonly #keccak: Hash;
  readonly #timer: NodeJS.Timeout;
  /** Called after each check of all nodes. */
  onChecked: () => void = () => undefined;
  #checking = false;
  #closed = false;

  constructor(network: NetworkConfig, keccak: Hash, metrics: RpcMetrics, log: Logger) {
    const configs = nodesOf(network);
    const { failover, chainId } = network;
    const labels = labelsOf(configs.map(({ url }) => url));
    this.#lagBlocks = BigInt(failover.lagBlocks);
    this.#keccak = keccak;
    this.all = configs.map((config, i) => {
      const label = labels[i] as string;
      const labelled = { network: network.name, node: label };
      return new ChainNode({
        label,
        config,
        failover,
        chainId,
        asksHead: configs.length > 1,
        observe: (outcome, seconds) => {
          metrics.upstream.observe({ network: network.name, target: 'upstream', host: label, outcome }, seconds);
        },
        onState: (node) => {
          metrics.nodeUp.set(labelled, node.isUp ? 1 : 0);
          metrics.nodeCircuit.set(labelled, node.circuit);
          if (node.head === undefined) metrics.nodeHead.remove(labelled);
          else metrics.nodeHead.set(labelled, Number(node.head));
        },
        log: log.child({ network: network.name }),
      });
    });
    this.#timer = setInterval(() => void this.#checkAll(), failover.checkMs).unref();
    void this.#checkAll();
  }

  /** @returns The nodes that may be asked, best first; of equal ones the preferred first. */
  ranked(): ChainNode[] {
    const rankOf = ({ state }: ChainNode) => (state === 'wrong chain' ? Infinity : RANKS[state]);
    return this.all
      .map((node) => ({ node, rank: rankOf(node) }))
      .filter(({ rank }) => rank < Infinity)
      .sort((a, b) => a.rank - b.rank)
      .map(({ node }) => node);
  }

  /** @returns Whether a node's operator-defined list contains the method. */
  lists(method: string): boolean {
    return this.all.some(({ config }) => config.methods?.includes(method));
  }

  /** @returns Whether any node is asked for the method. */
  passes(method: string): boolean {
    return this.all.some((node) => node.passes(method));
  }

  /**
   * Asks the nodes in turn until one answers; an error of its own is an answer. Nodes whose circuit breaker is open are
   * asked last, so that it never refuses a request that nobody else answers.
   *
   * @param method - Name of the method.
   * @param params - JSON of an array or object.
   * @param deadline - When the request must be answered, in milliseconds of `performance.now`.
   * @param room - For the answer.
   * @returns The `result`.
   * @throws {RpcError} The answering node's own error; else that of the last node that failed.
   */
  async call(method: string, params: string, deadline = Infinity, room?: AnswerRoom): Promise<Written> {
    let failure = performance.now() < deadline ? WRONG_CHAIN : outOfTime({ isUnexecuted: true });
    let maybeExecuted = false;
    // What the service itself asks for, no list need have.
    const isListed = this.passes(method);
    const turns = this.ranked()
      .filter((node) => !isListed || node.passes(method))
      .map((node) => ({ node, isForced: false }));
    // Turns that are added meanwhile follow.
    for (const { node, isForced } of turns) {
      if (this.#closed || performance.now() >= deadline) break;
      try {
        return await node.ask(method, params, isForced, deadline, room);
      } catch (error) {
        if (error instanceof BrokenCircuitError) turns.push({ node, isForced: true });
        else if (error instanceof UpstreamFailure) {
          failure = error;
          maybeExecuted ||= !error.isUnexecuted;
          if (error.isFinal || (maybeExecuted && !isBuiltIn(method))) break;
        } else if (maybeExecuted && method === SEND && error instanceof RpcError) {
          return this.#sentBefore(node, params, error, deadline);
        } else throw error;
      }
    }
    throw failure.toRpcError('node');
  }

  /**
   * A transaction that a failing node may have accepted was sent again, and this node refuses it: because it has it, or
   * a block has it, or for another reason.
   *
   * @throws {RpcError} The refusal, if the node does not know the transaction.
   */
  async #sentBefore(node: ChainNode, params: string, refusal: RpcError, deadline: number): Promise<Written> {
    const hash = transactionHash(params, this.#keccak);
    if (hash === undefined || !(await hasTransaction(node, hash, refusal, deadline))) throw refusal;
    return { value: hash, text: JSON.stringify(hash) };
  }

  async #checkAll(): Promise<void> {
    // One that takes longer than the interval is not asked twice at once.
    if (this.#checking) return;
    this.#checking = true;
    await Promise.allSettled(this.all.map((node) => node.check()));
    this.#checking = false;
    if (this.#closed) return;
    const heads = this.all.flatMap(({ head }) => head ?? []);
    const best = heads.reduce((highest, head) => (head > highest ? head : highest), 0n);
    for (const node of this.all) node.compareWith(best, this.#lagBlocks);
    this.onChecked();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const node of this.all) node.close();
  }
}
