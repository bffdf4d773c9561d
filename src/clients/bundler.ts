import { explainFailure, type FundsFacts } from '../core/erc4337/failures';
import { type OperationPlace, userOperationHash } from '../core/erc4337/hash';
import { toRpcForm } from '../core/erc4337/rpc-form';
import { type UserOperation } from '../core/erc4337/user-operation';
import { ServiceFailedError, ServiceRefusedError } from '../core/errors';
import { isSameAddress } from '../core/eth/address';
import { type Hex, toHex } from '../core/eth/bytes';
import {
  EntryPointsStruct,
  GasEstimateStruct,
  UserOperationHashStruct,
  UserOperationReceiptStruct,
} from '../core/schemas/bundler';
import { QuantityAnswerStruct } from '../core/schemas/hex';
import { type Log } from '../core/schemas/receipt';
import { inOrder } from './in-order';
import { JsonRpcClient, type JsonRpcOptions } from './json-rpc';
import { type Infer } from '../core/schemas/struct';

/** What a bundler estimates; gas. The last one only where there is a paymaster, from entry point 0.7 on. */
export type GasEstimate = {
  readonly callGasLimit: bigint;
  readonly verificationGasLimit: bigint;
  readonly preVerificationGas: bigint;
  readonly paymasterVerificationGasLimit?: bigint;
};

/** What became of an operation. Gas in gas, cost in wei. */
export type UserOperationReceipt = {
  readonly userOpHash: Hex;
  /** False: it was included and paid for, but its call failed. */
  readonly success: boolean;
  readonly actualGasUsed: bigint;
  readonly actualGasCost: bigint;
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  /** Of the transaction; undefined where the bundler does not tell. */
  readonly blockHash?: Hex;
  readonly gasUsed?: bigint;
  /** Of this operation only; none where the bundler does not tell. */
  readonly logs: readonly Log[];
};

/** A bundler's list may be of any length. */
const MAX_NAMED = 10;

/** A quantity that may be left out: null and undefined both mean that it is, answers use either. */
const ifTold = <const Name extends string>(name: Name, quantity: Hex | number | null | undefined) =>
  (quantity === null || quantity === undefined ? {} : { [name]: BigInt(quantity) }) as Partial<Record<Name, bigint>>;

/** @returns undefined if it has no gas for one of the two that nothing runs without. */
function gasEstimateOf(answer: Infer<typeof GasEstimateStruct>): GasEstimate | undefined {
  const callGasLimit = BigInt(answer.callGasLimit);
  const verificationGasLimit = BigInt(answer.verificationGasLimit ?? answer.verificationGas ?? 0);
  if (callGasLimit * verificationGasLimit === 0n) return undefined;
  return {
    callGasLimit,
    verificationGasLimit,
    preVerificationGas: BigInt(answer.preVerificationGas),
    ...ifTold('paymasterVerificationGasLimit', answer.paymasterVerificationGasLimit),
  };
}

/** A bundler (ERC-7769). What it refuses about an operation is thrown as a sentence. */
export class BundlerClient {
  protected readonly rpc: JsonRpcClient;

  constructor(options: JsonRpcOptions) {
    this.rpc = new JsonRpcClient('bundler', options);
  }

  /** `eth_chainId`. */
  async chainId(signal?: AbortSignal): Promise<bigint> {
    return BigInt(await this.rpc.request('eth_chainId', [], QuantityAnswerStruct, signal));
  }

  /** `eth_supportedEntryPoints`. */
  supportedEntryPoints(signal?: AbortSignal): Promise<Hex[]> {
    return this.rpc.request('eth_supportedEntryPoints', [], EntryPointsStruct, signal);
  }

  /**
   * That the bundler serves an entry point on a chain.
   *
   * @throws {ServiceFailedError} Naming what differs.
   */
  async assertServes(chain: bigint, entryPoint: Hex, signal?: AbortSignal): Promise<void> {
    const [chainId, supported] = await inOrder([this.chainId(signal), this.supportedEntryPoints(signal)]);
    if (chainId !== chain)
      throw new ServiceFailedError(
        `bundlerUrl: must be a bundler of chain ${chain}, but ${this.rpc.title} is of chain ${chainId}.`,
      );
    if (!supported.some((address) => isSameAddress(address, entryPoint)))
      throw new ServiceFailedError(
        `entryPoint: ${this.rpc.title} does not support ${entryPoint}; it supports ${supported.slice(0, MAX_NAMED).join(', ') || 'none'}.`,
      );
  }

  /**
   * `eth_estimateUserOperationGas`.
   *
   * @throws {ServiceRefusedError} If the operation would fail; says why.
   */
  async estimateGas(operation: UserOperation, place: OperationPlace, signal?: AbortSignal): Promise<GasEstimate> {
    const answer = await this.#aboutOperation(() =>
      this.rpc.request(
        'eth_estimateUserOperationGas',
        [toRpcForm(operation, place.version), place.entryPoint],
        GasEstimateStruct,
        signal,
      ),
    );
    const estimate = gasEstimateOf(answer);
    if (estimate === undefined)
      throw new ServiceFailedError(
        this.rpc.sentence('estimated no callGasLimit or verificationGasLimit for the operation.'),
      );
    return estimate;
  }

  /**
   * `eth_sendUserOperation`.
   *
   * @param funds - Looks up what there is to pay with, for the case that it is too little.
   * @returns The operation's hash: the one that was signed.
   * @throws {ServiceRefusedError} If the bundler does not take it; says why.
   * @throws {ServiceFailedError} If it answers the hash of another operation.
   */
  async sendUserOperation(
    operation: UserOperation,
    place: OperationPlace,
    { funds, signal }: { funds?: () => Promise<FundsFacts>; signal?: AbortSignal } = {},
  ): Promise<Hex> {
    const expected = toHex(userOperationHash(operation, place));
    const answered = await this.#aboutOperation(
      () =>
        this.rpc.request(
          'eth_sendUserOperation',
          [toRpcForm(operation, place.version), place.entryPoint],
          UserOperationHashStruct,
          signal,
        ),
      funds,
    );
    if (answered.toLowerCase() !== expected)
      throw new ServiceFailedError(this.rpc.sentence(`answered ${answered}, but the operation's hash is ${expected}.`));
    return expected;
  }

  /**
   * `eth_getUserOperationReceipt`.
   *
   * @returns undefined until the operation is included.
   * @throws {ServiceFailedError} If the bundler tells of another operation.
   */
  async getUserOperationReceipt(hash: Hex, signal?: AbortSignal): Promise<UserOperationReceipt | undefined> {
    const answer = await this.rpc.request('eth_getUserOperationReceipt', [hash], UserOperationReceiptStruct, signal);
    if (answer === null) return undefined;
    if (answer.userOpHash.toLowerCase() !== hash.toLowerCase())
      throw new ServiceFailedError(this.rpc.sentence('answered with the receipt of another operation.'));
    return {
      userOpHash: answer.userOpHash,
      success: answer.success,
      actualGasUsed: BigInt(answer.actualGasUsed),
      actualGasCost: BigInt(answer.actualGasCost),
      transactionHash: answer.receipt.transactionHash,
      blockNumber: BigInt(answer.receipt.blockNumber),
      logs: answer.logs ?? [],
      ...(typeof answer.receipt.blockHash === 'string' && { blockHash: answer.receipt.blockHash }),
      ...ifTold('gasUsed', answer.receipt.gasUsed),
    };
  }

  async #aboutOperation<T>(request: () => Promise<T>, funds?: () => Promise<FundsFacts>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      const { aa } = explainFailure(error.error);
      // What there is to pay with is told if it can be; the refusal is what matters.
      const facts = aa === 'AA21' ? await funds?.().catch(() => undefined) : undefined;
      throw new ServiceRefusedError(explainFailure(error.error, facts).sentence, error.error);
    }
  }
}
