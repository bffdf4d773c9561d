import { fromRpcForm, type RpcUserOperation } from '../core/erc4337/rpc-form';
import { type UserOperation } from '../core/erc4337/user-operation';
import { type Hex } from '../core/eth/bytes';
import { UserOperationByHashStruct } from '../core/schemas/known-operation';
import { BundlerClient } from './bundler';

/** An operation as a bundler knows it. */
export type KnownUserOperation = {
  readonly operation: UserOperation;
  readonly entryPoint: Hex;
  /** undefined while it waits. */
  readonly transactionHash: Hex | undefined;
};

/** A bundler for programs: with what the snap itself never asks, and need not carry. */
export class LibraryBundlerClient extends BundlerClient {
  /** `eth_getUserOperationByHash`. @returns undefined if the bundler does not know it. */
  async getUserOperationByHash(hash: Hex, signal?: AbortSignal): Promise<KnownUserOperation | undefined> {
    const answer = await this.rpc.request('eth_getUserOperationByHash', [hash], UserOperationByHashStruct, signal);
    if (answer === null) return undefined;
    // null and undefined both mean "not there": answers use either.
    const told = Object.entries(answer.userOperation).filter(([, member]) => member !== null && member !== undefined);
    return {
      operation: fromRpcForm(Object.fromEntries(told) as RpcUserOperation),
      entryPoint: answer.entryPoint,
      transactionHash: answer.transactionHash ?? undefined,
    };
  }
}
