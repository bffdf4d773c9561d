import { type Hex } from '../core/eth/bytes';
import { ServiceFailedError, ServiceRefusedError } from '../core/errors';
import { BytesStruct, QuantityAnswerStruct } from '../core/schemas/hex';
import { JsonRpcClient, type JsonRpcOptions } from './json-rpc';
import { type Struct } from '../core/schemas/struct';

/** A chain's node, as far as accounts need it (Ethereum JSON-RPC). */
export class NodeClient {
  readonly #rpc: JsonRpcClient;

  constructor(options: JsonRpcOptions) {
    this.#rpc = new JsonRpcClient('node', options);
  }

  /**
   * Any other method.
   *
   * @param result - What the answer must be.
   * @throws {ServiceRefusedError} If the node answers with an error.
   */
  ask<T>(method: string, params: readonly unknown[], result: Pick<Struct<T>, 'is'>, signal?: AbortSignal): Promise<T> {
    return this.#rpc.request(method, params, result, signal);
  }

  /** `eth_chainId`. */
  async chainId(signal?: AbortSignal): Promise<bigint> {
    return BigInt(await this.#rpc.request('eth_chainId', [], QuantityAnswerStruct, signal));
  }

  /**
   * @throws {ServiceFailedError} If the node is one of another chain: what it tells would be about other accounts.
   */
  async assertChain(expected: bigint, signal?: AbortSignal): Promise<void> {
    const chainId = await this.chainId(signal);
    if (chainId !== expected)
      throw new ServiceFailedError(
        `rpcUrl: must be a node of chain ${expected}, but ${this.#rpc.title} is of chain ${chainId}.`,
      );
  }

  /** `eth_getCode`, latest block. @returns The contract's code; 0x if there is none. */
  code(address: Hex, signal?: AbortSignal): Promise<Hex> {
    return this.#rpc.request('eth_getCode', [address, 'latest'], BytesStruct, signal);
  }

  /** `eth_getStorageAt`, latest block. @param slot - 32 bytes. @returns The word. */
  async storageAt(address: Hex, slot: Hex, signal?: AbortSignal): Promise<bigint> {
    const word = await this.#rpc.request('eth_getStorageAt', [address, slot, 'latest'], BytesStruct, signal);
    return word === '0x' ? 0n : BigInt(word);
  }

  /** `eth_getBalance`, latest block. @returns wei. */
  async balance(address: Hex, signal?: AbortSignal): Promise<bigint> {
    return BigInt(await this.#rpc.request('eth_getBalance', [address, 'latest'], QuantityAnswerStruct, signal));
  }

  /**
   * `eth_call`, latest block, of a function that answers one word.
   *
   * @param what - What is asked, as an error calls it.
   * @returns The word.
   * @throws {ServiceFailedError} If the contract answers something else, or is not there.
   */
  async callForWord(to: Hex, data: Hex, what: string, signal?: AbortSignal): Promise<bigint> {
    const answer = await this.#call(to, data, what, signal);
    if (answer.length !== 66)
      throw new ServiceFailedError(`${to} did not tell ${what}: it is no such contract on this chain.`);
    return BigInt(answer);
  }

  async #call(to: Hex, data: Hex, what: string, signal?: AbortSignal): Promise<Hex> {
    try {
      return await this.#rpc.request('eth_call', [{ to, data }, 'latest'], BytesStruct, signal);
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      throw new ServiceRefusedError(`${to} did not tell ${what}. ${error.message}`, error.error);
    }
  }

  /** @returns Whether an address has code or coins. */
  async isUsed(address: Hex, signal?: AbortSignal): Promise<boolean> {
    const [code, balance] = await Promise.all([this.code(address, signal), this.balance(address, signal)]);
    return code !== '0x' || balance > 0n;
  }
}
