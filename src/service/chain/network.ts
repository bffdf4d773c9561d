import type { Logger } from 'pino';

import { archiveDir } from './archive/catalog';
import { Archive } from './archive/archive';
import type { Hash } from './archive/hashing';
import { knownLastPowBlock } from './archive/known';
import { type EntryPointVersion, versionOfEntryPoint } from '../../core/erc4337/entry-points';
import { isSameAddress } from '../../core/eth/address';
import { nodesOf, type NetworkConfig } from './config';
import { Filters } from './filters/filters';
import type { FilterStore } from './filters/filter-store';
import { historyUnavailable, methodNotFound } from './errors';
import type { Written } from './json-text';
import type { RpcMetrics } from './metrics';
import { type BlockName, type ProvenUncles, UncleProver } from './proof/uncle-prover';
import { Feed } from './subscriptions/feed';
import { type AnswerRoom, Upstream } from './upstream';
import { ChainNodes } from './upstreams/chain-nodes';
import type { NodeState } from './upstreams/chain-node';

/** The other servers of a network. */
export type Target = 'upstream' | 'bundler';

/** The names of the targets in error messages. */
export const WHAT = { upstream: 'node', bundler: 'bundler' } as const;

/** Where filters are kept, and how many a key may have. */
export type FilterOptions = { readonly store: FilterStore; readonly keyFilters: number };

/** A chain that the service serves. */
export class Network {
  readonly name: string;
  readonly chainId: number;
  /** The last block that could have uncles; undefined if unknown. */
  readonly lastPowBlock: number | undefined;
  readonly computesTotalDifficulty: boolean;
  /** Whether a lookup in a gap of the known history returns `null` instead of error 4444. */
  readonly answersNullInGaps: boolean;
  readonly archive: Archive | undefined;
  /** Subscriptions through a node's WebSocket; undefined if no node has one. */
  readonly feed: Feed | undefined;
  /** Filters that nodes keep; undefined without a node. */
  readonly filters: Filters | undefined;
  readonly #nodes: ChainNodes | undefined;
  readonly #prover: UncleProver | undefined;
  readonly #bundler: Upstream | undefined;
  readonly #bundlerMethods: ReadonlySet<string> | undefined;
  readonly #entryPoints: readonly (readonly [string, EntryPointVersion])[];
  readonly #metrics: RpcMetrics;

  /** @throws {ArchiveError} If a segment of its archive is damaged. */
  constructor(
    config: NetworkConfig,
    dataDir: string,
    keccak: Hash,
    metrics: RpcMetrics,
    log: Logger,
    { store, keyFilters }: FilterOptions,
  ) {
    this.name = config.name;
    this.chainId = config.chainId;
    this.lastPowBlock = config.lastPowBlock ?? knownLastPowBlock(config.chainId);
    this.computesTotalDifficulty = config.totalDifficulty === 'computed';
    this.answersNullInGaps = config.unknownHistory === 'null';
    this.#metrics = metrics;
    const dir = archiveDir(dataDir, config.name);
    this.archive = config.archive ? new Archive({ dir, keccak, lastPowBlock: this.lastPowBlock }) : undefined;
    const { bundler } = config;
    const nodes = nodesOf(config);
    if (nodes.length > 0) {
      this.#nodes = new ChainNodes(config, keccak, metrics, log);
      this.filters = new Filters(config.name, this.#nodes, store, keyFilters);
      const { archive, lastPowBlock } = this;
      const { name: network, provenHeaders } = config;
      this.#prover = new UncleProver({
        network,
        nodes: this.#nodes,
        provenHeaders,
        keccak,
        archive,
        lastPowBlock,
        metrics,
        log,
      });
    }
    if (this.#nodes && nodes.some(({ wsUrl }) => wsUrl !== undefined)) this.feed = new Feed(config, this.#nodes, log);
    this.#bundler =
      bundler &&
      new Upstream(WHAT.bundler, bundler, (outcome, seconds) => {
        const { host } = new URL(bundler.url);
        metrics.upstream.observe({ network: config.name, target: 'bundler', host, outcome }, seconds);
      });
    this.#bundlerMethods = bundler?.methods && new Set(bundler.methods);
    this.#entryPoints = Object.entries(config.bundler?.entryPoints ?? {});
    this.#measureArchive();
  }

  /** @returns Whether the network has a node, or a bundler. */
  has(target: Target): boolean {
    return (target === 'upstream' ? this.#nodes : this.#bundler) !== undefined;
  }

  /**
   * @param method - Name of a method.
   * @returns The target whose operator-defined list contains the method; undefined if none does.
   */
  listedTarget(method: string): Target | undefined {
    if (this.#nodes?.lists(method)) return 'upstream';
    return this.#bundlerMethods?.has(method) ? 'bundler' : undefined;
  }

  /**
   * @returns Whether this network forwards the method to the target, which must exist. An operator's list replaces the
   * built-in one.
   */
  passes(target: Target, method: string): boolean {
    const passes = target === 'upstream' ? this.#nodes?.passes(method) : this.#bundlerMethods?.has(method);
    return passes ?? true;
  }

  /** @returns The state of each node, in order of preference; undefined if the network has none. */
  nodeStates(): NodeState[] | undefined {
    return this.#nodes?.all.map(({ state }) => state);
  }

  /** @returns The version of an entry point on this network, from the operator's list or by canonical address. */
  versionOfEntryPoint(address: string): EntryPointVersion | undefined {
    const [, listed] = this.#entryPoints.find(([known]) => isSameAddress(known, address)) ?? [];
    return listed ?? versionOfEntryPoint(address);
  }

  /**
   * Sends a request to the node or the bundler.
   *
   * @param target - Node or bundler.
   * @param method - Name of the method.
   * @param params - JSON of an array or object.
   * @param deadline - When to give up, in milliseconds of `performance.now`.
   * @param room - For the answer.
   * @returns The `result`.
   * @throws {RpcError} -32601 if the network has none, otherwise as {@link Upstream.call}.
   */
  async ask(target: Target, method: string, params: string, deadline: number, room?: AnswerRoom): Promise<Written> {
    const upstream = target === 'upstream' ? this.#nodes : this.#bundler;
    if (!upstream) throw methodNotFound(method);
    return upstream.call(method, params, deadline, room);
  }

  /**
   * @returns The uncles of a block, as far as a node proves them ({@link UncleProver.of}).
   * @throws {RpcError} 4444 without a node.
   */
  async provenUncles(block: BlockName, deadline: number): Promise<ProvenUncles> {
    if (!this.#prover) throw historyUnavailable('this network has no node to ask');
    return this.#prover.of(block, deadline);
  }

  /** Counts the source of an uncle lookup's result. */
  answered(source: 'archive' | 'rule' | 'upstream'): void {
    this.#metrics.uncles.add(1, this.name, source);
  }

  /**
   * Loads newly imported segments.
   *
   * @returns Whether the archive changed.
   * @throws {ArchiveError} If a new segment is damaged.
   */
  refreshArchive(): boolean {
    const changed = this.archive?.refresh() ?? false;
    if (changed) this.#measureArchive();
    return changed;
  }

  #measureArchive(): void {
    if (!this.archive) return;
    const blocks = this.archive.covered.reduce((sum, { start, end }) => sum + end - start + 1, 0);
    this.#metrics.archiveBlocks.set({ network: this.name }, blocks);
    this.#metrics.archiveUncles.set({ network: this.name }, this.archive.uncles);
    this.#metrics.archiveIndexBytes.set({ network: this.name }, this.archive.indexBytes);
  }

  close(): void {
    this.archive?.close();
    this.feed?.close();
    this.#nodes?.close();
    this.#bundler?.close();
  }
}
