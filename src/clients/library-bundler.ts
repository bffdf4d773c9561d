import { fromRpcForm, type RpcUserOperation } from '../core/erc4337/rpc-form';
import { type UserOperation } from '../core/erc4337/user-operation';
import { type Hex } from '../core/eth/bytes';
import { ServiceFailedError } from '../core/errors';
import { UserOperationByHashStruct, UserOperationReceiptStruct } from '../core/schemas/known-operation';
import { type Log } from '../core/schemas/receipt';
import { BundlerClient, ifPresent } from './bundler';

/**
 * The receipt of an included user operation. Gas amounts are in gas, `actualGasCost` is in wei.
 *
 * @example
 * ```ts
 * import { BundlerClient, type UserOperationReceipt } from 'keystead/clients';
 * const bundler = new BundlerClient({ url: 'https://bundler.example' });
 * const receipt: UserOperationReceipt | undefined = await bundler.getUserOperationReceipt(`0x${'11'.repeat(32)}`);
 * receipt?.success; // => undefined
 * ```
 */
export type UserOperationReceipt = {
  readonly userOpHash: Hex;
  /** False if the operation was included and paid for, but its call reverted. */
  readonly success: boolean;
  readonly actualGasUsed: bigint;
  readonly actualGasCost: bigint;
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  /** The block hash of the bundle transaction, if the bundler returns it. */
  readonly blockHash?: Hex;
  /** The gas used by the bundle transaction, if the bundler returns it. */
  readonly gasUsed?: bigint;
  /** The logs of this operation only; empty if the bundler does not return them. */
  readonly logs: readonly Log[];
};

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
   * `eth_getUserOperationReceipt`.
   *
   * @param hash - The hash of the user operation.
   * @returns The receipt, or undefined until the operation is included.
   * @throws {ServiceFailedError} If the bundler does not respond, or returns the receipt of another operation.
   */
  async getUserOperationReceipt(hash: Hex, signal?: AbortSignal): Promise<UserOperationReceipt | undefined> {
    const answer = await this.rpc.request('eth_getUserOperationReceipt', [hash], UserOperationReceiptStruct, signal);
    if (answer === null) return undefined;
    if (answer.userOpHash.toLowerCase() !== hash.toLowerCase())
      throw new ServiceFailedError(this.rpc.sentence('returned the receipt of another operation.'));
    return {
      userOpHash: answer.userOpHash,
      success: answer.success,
      actualGasUsed: BigInt(answer.actualGasUsed),
      actualGasCost: BigInt(answer.actualGasCost),
      transactionHash: answer.receipt.transactionHash,
      blockNumber: BigInt(answer.receipt.blockNumber),
      logs: answer.logs ?? [],
      ...(typeof answer.receipt.blockHash === 'string' && { blockHash: answer.receipt.blockHash }),
      ...ifPresent('gasUsed', answer.receipt.gasUsed),
    };
  }

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
