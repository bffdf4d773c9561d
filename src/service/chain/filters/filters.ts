import { createHash, randomBytes } from 'node:crypto';

import type { Client } from '../../admission/admission';
import type { KeyIdentity } from '../../keys';
import { filterNotFound, LIMIT_EXCEEDED, RpcError } from '../errors';
import type { Written } from '../json-text';
import type { AnswerRoom } from '../upstream';
import { UpstreamFailure } from '../upstream-failure';
import type { ChainNode } from '../upstreams/chain-node';
import type { ChainNodes } from '../upstreams/chain-nodes';
import type { FilterOwner, FilterStore } from './filter-store';

/** A node's ID of a filter is a number or a short text. */
const MAX_ID = 128;

/** What nodes say of a filter that they do not have; its ID may soon be that of another. */
const NOT_FOUND = /filter.*not found/iu;

/** Who asks: a key, and what it holds. */
export type FilterCaller = { readonly identity: KeyIdentity; readonly client: Pick<Client, 'memory'> };

const digestOf = ({ identity: { limits } }: FilterCaller): string =>
  limits === undefined ? '' : createHash('sha256').update(JSON.stringify(limits)).digest('base64');

/**
 * The filters of a network. A node keeps each of them, so a reorganization is told as the node tells it; the service
 * keeps whose it is, and gives it an ID of its own, which says nothing and is of use to no other key.
 */
export class Filters {
  readonly #network: string;
  readonly #nodes: ChainNodes;
  readonly #store: FilterStore;
  readonly #limit: number;

  /** @param limit - The most filters of one key. */
  constructor(network: string, nodes: ChainNodes, store: FilterStore, limit: number) {
    this.#network = network;
    this.#nodes = nodes;
    this.#store = store;
    this.#limit = limit;
  }

  #ownerOf({ identity, client }: FilterCaller): FilterOwner {
    return { key: identity.id, network: this.#network, memory: client.memory };
  }

  /**
   * Makes a filter.
   *
   * @param method - `eth_newFilter` or another method that makes one.
   * @param params - JSON of its parameters.
   * @returns The ID.
   * @throws {RpcError} -32005 at the limit of the key; otherwise as {@link ChainNodes.call}.
   */
  async create(caller: FilterCaller, method: string, params: string, deadline: number): Promise<string> {
    const { node, written } = await this.#nodes.answered(method, params, deadline);
    const { text: id } = written;
    if (id.length > MAX_ID || !['string', 'number'].includes(typeof written.value))
      throw new UpstreamFailure('unreachable', `sent an invalid response to ${method}`).toRpcError('node');
    const own = `0x${randomBytes(16).toString('hex')}`;
    let isAdded = false;
    try {
      const filter = { node: node.label, id, limits: digestOf(caller) };
      isAdded = await this.#store.add(this.#ownerOf(caller), own, filter, this.#limit);
    } finally {
      if (!isAdded) this.#endAt(node, id);
    }
    if (!isAdded)
      throw new RpcError(LIMIT_EXCEEDED, `too many filters of this key, at most ${this.#limit}: uninstall one first`);
    return own;
  }

  /**
   * Asks the node that keeps a filter.
   *
   * @param method - `eth_getFilterChanges` or `eth_getFilterLogs`.
   * @throws {RpcError} `filter not found` if the key has none of this ID, or it has ended: after five minutes without a
   * request, with a change of the key's limits, and if its node is down; otherwise as {@link ChainNodes.call}.
   */
  async ask(caller: FilterCaller, method: string, id: string, deadline: number, room: AnswerRoom): Promise<Written> {
    const owner = this.#ownerOf(caller);
    const filter = await this.#store.use(owner, id);
    if (!filter) throw filterNotFound();
    const node = this.#nodes.named(filter.node);
    if (!node || filter.limits !== digestOf(caller)) {
      await this.#store.remove(owner, id);
      if (node) this.#endAt(node, filter.id);
      throw filterNotFound();
    }
    try {
      return await node.ask(method, `[${filter.id}]`, true, deadline, room);
    } catch (error) {
      if (error instanceof RpcError && NOT_FOUND.test(error.message)) await this.#store.remove(owner, id);
      if (!(error instanceof UpstreamFailure)) throw error;
      if (error.isFinal || node.isUp || this.#nodes.all.length === 1) throw error.toRpcError('node');
      // The client makes a new one, at another node.
      await this.#store.remove(owner, id);
      throw filterNotFound();
    }
  }

  /** @returns Whether the key had a filter of this ID. */
  async end(caller: FilterCaller, id: string): Promise<boolean> {
    const filter = await this.#store.remove(this.#ownerOf(caller), id);
    const node = filter && this.#nodes.named(filter.node);
    if (node) this.#endAt(node, filter.id);
    return filter !== undefined;
  }

  /** If this fails, the node ends the filter when nobody has used it for a while. */
  #endAt(node: ChainNode, id: string): void {
    void node.ask('eth_uninstallFilter', `[${id}]`, true).catch(() => undefined);
  }
}
