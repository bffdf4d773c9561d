import { type Hex } from '../core/eth/bytes';
import { ServiceFailedError, ServiceRefusedError } from '../core/errors';
import { BytesStruct, QuantityAnswerStruct } from '../core/structs/hex';
import { JsonRpcClient, type JsonRpcOptions } from './json-rpc';
import { type Checker } from '../core/structs/struct';

/**
 * A client of an Ethereum node, with the JSON-RPC methods that accounts need. Each method throws a
 * {@link ServiceFailedError} if the node does not respond correctly, and a {@link ServiceRefusedError} if it responds
 * with an error.
 *
 * @example
 * ```ts
 * import { NodeClient } from 'keystead/clients';
 * const node = new NodeClient({ url: 'https://node.example/v3/<API_KEY>' });
 * await node.chainId(); // => 31337n
 * await node.balance('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'); // => 10n ** 18n
 * ```
 */
export class NodeClient {
  /** The URL as it was given. It may contain an API key, so it does not belong into messages. */
  readonly url: string;
  /** The name of the node in error messages, such as "the node at node.example". */
  readonly title: string;
  readonly #rpc: JsonRpcClient;

  /**
   * @param options - The node's URL and limits.
   * @throws {InvalidParamsError} If the URL is not allowed; see {@link JsonRpcOptions.url}.
   */
  constructor(options: JsonRpcOptions) {
    this.#rpc = new JsonRpcClient('node', options);
    this.url = options.url;
    this.title = this.#rpc.title;
  }

  /**
   * Calls any other method.
   *
   * @param method - The name of the method.
   * @param params - Its parameters.
   * @param result - The struct that the result must match.
   * @param signal - Cancels the request.
   * @throws {ServiceRefusedError} If the node responds with an error.
   * @throws {ServiceFailedError} If the node does not respond, or the result does not match.
   */
  ask<T>(method: string, params: readonly unknown[], result: Checker<T>, signal?: AbortSignal): Promise<T> {
    return this.#rpc.request(method, params, result, signal);
  }

  /** `eth_chainId`. @returns The node's chain id. */
  async chainId(signal?: AbortSignal): Promise<bigint> {
    return BigInt(await this.#rpc.request('eth_chainId', [], QuantityAnswerStruct, signal));
  }

  /**
   * Checks the chain of the node. On another chain, its data would concern other accounts.
   *
   * @param expected - The expected chain id.
   * @throws {ServiceFailedError} If the node serves another chain.
   */
  async assertChain(expected: bigint, signal?: AbortSignal): Promise<void> {
    const chainId = await this.chainId(signal);
    if (chainId !== expected)
      throw new ServiceFailedError(
        `rpcUrl: must be a node for chain ${expected}, but ${this.#rpc.title} serves chain ${chainId}.`,
      );
  }

  /** `eth_getCode` at the latest block. @returns The runtime code; 0x for an address without code. */
  code(address: Hex, signal?: AbortSignal): Promise<Hex> {
    return this.#rpc.request('eth_getCode', [address, 'latest'], BytesStruct, signal);
  }

  /**
   * `eth_getStorageAt` at the latest block.
   *
   * @param slot - The 32-byte storage slot.
   * @returns The 32-byte word as a number.
   */
  async storageAt(address: Hex, slot: Hex, signal?: AbortSignal): Promise<bigint> {
    const word = await this.#rpc.request('eth_getStorageAt', [address, slot, 'latest'], BytesStruct, signal);
    return word === '0x' ? 0n : BigInt(word);
  }

  /** `eth_getBalance` at the latest block. @returns The balance in wei. */
  async balance(address: Hex, signal?: AbortSignal): Promise<bigint> {
    return BigInt(await this.#rpc.request('eth_getBalance', [address, 'latest'], QuantityAnswerStruct, signal));
  }

  /**
   * `eth_call` at the latest block, for a function that returns one 32-byte word.
   *
   * @param to - The contract.
   * @param data - The call data.
   * @param what - The name of the result in error messages, such as "the nonce of 0x…".
   * @returns The word as a number.
   * @throws {ServiceFailedError} If the contract returns anything else, or does not exist.
   * @throws {ServiceRefusedError} If the call reverts.
   */
  async callForWord(to: Hex, data: Hex, what: string, signal?: AbortSignal): Promise<bigint> {
    const answer = await this.#call(to, data, what, signal);
    if (answer.length !== 66)
      throw new ServiceFailedError(
        `${to} did not return ${what}: the expected contract is not deployed there on this chain.`,
      );
    return BigInt(answer);
  }

  async #call(to: Hex, data: Hex, what: string, signal?: AbortSignal): Promise<Hex> {
    try {
      return await this.#rpc.request('eth_call', [{ to, data }, 'latest'], BytesStruct, signal);
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      throw new ServiceRefusedError(`${to} did not return ${what}. ${error.message}`, error.error);
    }
  }

  /** @returns Whether an address has code or a balance. */
  async isUsed(address: Hex, signal?: AbortSignal): Promise<boolean> {
    const [code, balance] = await Promise.all([this.code(address, signal), this.balance(address, signal)]);
    return code !== '0x' || balance > 0n;
  }
}
