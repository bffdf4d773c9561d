import { setImmediate as nextTurn } from 'node:timers/promises';

import { BrokenCircuitError } from 'cockatiel';
import type { Logger } from 'pino';

import type { Hash } from '../archive/hashing';
import { nodesOf, type NetworkConfig } from '../config';
import { HISTORY_UNAVAILABLE, RpcError } from '../errors';
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

/** Nodes that are worth asking for a second opinion: not those that failed last time. */
const ANSWERING: ReadonlySet<NodeState> = new Set(['up', 'lagging', 'unknown']);

const WRONG_CHAIN = new UpstreamFailure('unreachable', 'serves another chain', { isUnexecuted: true });

/** @returns Host and port of each address, which contain no key; a repeated host gets a number. */
function labelsOf(urls: readonly string[]): string[] {
  const hosts = urls.map((url) => new URL(url).host);
  return hosts.map((host, i) => {
    const earlier = hosts.slice(0, i).filter((other) => other === host).length;
    return earlier === 0 ? host : `${host} (${earlier + 1})`;
  });
}

/** A node, and its answer. */
type Answered = { readonly node: ChainNode; readonly written: Written };

/** One node, asked for what the service itself needs. */
export type NodeReader = {
  /** Host and port. */
  readonly label: string;
  /** Its latest block, as of its last check. */
  readonly head: bigint | undefined;
  /** @throws {RpcError} The node's own error. @throws {UpstreamFailure} If it failed. */
  ask(method: string, params: readonly unknown[]): Promise<Written>;
  /** Sends one batch, and returns the result of each request, or the node's own error. */
  askAll(method: string, params: readonly (readonly unknown[])[]): Promise<(Written | RpcError)[]>;
};

/** Bytes of a block with the hashes of its transactions: a block of 8 MiB (EIP-7934) has at most 80,000 of them. */
const BLOCK_BYTES = 8 << 20;

/** @throws {UpstreamFailure} If an answer becomes longer than a block. */
function blockRoom(): AnswerRoom {
  let left = BLOCK_BYTES;
  return {
    charge: (bytes) => {
      left -= bytes;
      if (left < 0) throw new UpstreamFailure('unreachable', 'sent a response that is too large');
      return undefined;
    },
    next: nextTurn,
  };
}

function readerOf(node: ChainNode, isForced: boolean): NodeReader {
  return {
    label: node.label,
    get head() {
      return node.head;
    },
    ask: (method, params) => node.ask(method, JSON.stringify(params), isForced, Infinity, blockRoom()),
    askAll: (method, params) => {
      const texts = params.map((each) => JSON.stringify(each));
      return node.askAll(method, texts, isForced);
    },
  };
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

  /** @returns The node of this label. */
  named(label: string): ChainNode | undefined {
    return this.all.find((node) => node.label === label);
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
    return (await this.answered(method, params, deadline, room)).written;
  }

  /** Like {@link call}, with the node that has answered. */
  async answered(method: string, params: string, deadline = Infinity, room?: AnswerRoom): Promise<Answered> {
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
        return { node, written: await node.ask(method, params, isForced, deadline, room) };
      } catch (error) {
        if (error instanceof BrokenCircuitError) turns.push({ node, isForced: true });
        else if (error instanceof UpstreamFailure) {
          failure = error;
          maybeExecuted ||= !error.isUnexecuted;
          if (error.isFinal || (maybeExecuted && !isBuiltIn(method))) break;
        } else if (maybeExecuted && method === SEND && error instanceof RpcError) {
          return { node, written: await this.#sentBefore(node, params, error, deadline) };
        } else throw error;
      }
    }
    throw failure.toRpcError('node');
  }

  /**
   * Reads with several requests to one node; if it fails, or no longer has the history, with the next one. The reads
   * must not change anything.
   *
   * @param methods - The nodes whose operator-defined list has one of these are asked; all, if none has.
   * @param read - Reads from a node. The others, for a second opinion, are those that did not fail last time.
   * @throws {RpcError} A node's own error; else 4444 if a node has said so, or that of the last node that failed.
   */
  async read<Result>(
    methods: readonly string[],
    read: (node: NodeReader, others: readonly NodeReader[]) => Promise<Result>,
  ): Promise<Result> {
    const ranked = this.ranked();
    const passing = ranked.filter((node) => methods.some((method) => node.passes(method)));
    const turns = (passing.length > 0 ? passing : ranked).map((node) => ({ node, isForced: false }));
    const answering = turns.flatMap(({ node }) => (ANSWERING.has(node.state) ? node : []));
    let failure: UpstreamFailure = WRONG_CHAIN;
    let pruned: RpcError | undefined;
    for (const { node, isForced } of turns) {
      if (this.#closed) break;
      try {
        const others = answering.filter((other) => other !== node).map((other) => readerOf(other, false));
        return await read(readerOf(node, isForced), others);
      } catch (error) {
        if (error instanceof BrokenCircuitError) turns.push({ node, isForced: true });
        else if (error instanceof UpstreamFailure) failure = error;
        else if (error instanceof RpcError && error.code === HISTORY_UNAVAILABLE) pruned = error;
        else throw error;
      }
    }
    throw pruned ?? failure.toRpcError('node');
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
