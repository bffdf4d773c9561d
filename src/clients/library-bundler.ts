import { fromRpcForm, type RpcUserOperation } from '../core/erc4337/rpc-form';
import { type UserOperation } from '../core/erc4337/user-operation';
import { type Hex } from '../core/eth/bytes';
import { UserOperationByHashStruct } from '../core/schemas/known-operation';
import { BundlerClient } from './bundler';

/**
 * A user operation that a bundler knows.
 *
 * @example
 * ```ts
 * import { BundlerClient, type KnownUserOperation } from 'keystead/clients';
 * const bundler = new BundlerClient({ url: 'https://bundler.example' });
 * const known: KnownUserOperation | undefined = await bundler.getUserOperationByHash(`0x${'11'.repeat(32)}`);
 * known?.transactionHash; // => undefined
 * ```
 */
export type KnownUserOperation = {
  readonly operation: UserOperation;
  /** The entry point it was sent to. */
  readonly entryPoint: Hex;
  /** The hash of the transaction that included it; undefined while it is pending. */
  readonly transactionHash: Hex | undefined;
};

/**
 * The published bundler client. It adds methods that the snap does not use and should not bundle.
 *
 * @example
 * ```ts
 * import { BundlerClient } from 'keystead/clients';
 * const bundler = new BundlerClient({ url: 'https://bundler.example' });
 * const hash = `0x${'11'.repeat(32)}` as const;
 * await bundler.getUserOperationReceipt(hash); // => undefined
 * await bundler.getUserOperationByHash(hash); // => undefined
 * ```
 */
export class LibraryBundlerClient extends BundlerClient {
  /**
   * `eth_getUserOperationByHash`.
   *
   * @param hash - The hash of the user operation.
   * @returns The operation, or undefined if the bundler does not know it.
   * @throws {ServiceFailedError} If the bundler does not respond correctly.
   * @throws {ServiceRefusedError} If the bundler responds with an error.
   */
  async getUserOperationByHash(hash: Hex, signal?: AbortSignal): Promise<KnownUserOperation | undefined> {
    const answer = await this.rpc.request('eth_getUserOperationByHash', [hash], UserOperationByHashStruct, signal);
    if (answer === null) return undefined;
    // Bundlers mark absent fields as either null or undefined.
    const present = Object.entries(answer.userOperation).filter(
      ([, member]) => member !== null && member !== undefined,
    );
    return {
      operation: fromRpcForm(Object.fromEntries(present) as RpcUserOperation),
      entryPoint: answer.entryPoint,
      transactionHash: answer.transactionHash ?? undefined,
    };
  }
}
