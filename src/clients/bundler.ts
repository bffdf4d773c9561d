import { explainFailure, type FundsFacts } from '../core/erc4337/failures';
import { type OperationDomain, userOperationHash } from '../core/erc4337/hash';
import { toRpcForm } from '../core/erc4337/rpc-form';
import { type UserOperation } from '../core/erc4337/user-operation';
import { ServiceFailedError, ServiceRefusedError } from '../core/errors';
import { isSameAddress } from '../core/eth/address';
import { type Hex, toHex } from '../core/eth/bytes';
import {
  EntryPointsStruct,
  GasEstimateStruct,
  GasPriceStruct,
  NamedTransactionStruct,
  UserOperationHashStruct,
} from '../core/schemas/bundler';
import { QuantityAnswerStruct } from '../core/structs/hex';
import { inOrder } from './in-order';
import { JsonRpcClient, type JsonRpcOptions } from './json-rpc';
import { type Infer, unknown } from '../core/structs/struct';

/**
 * A bundler's gas estimate, in gas. `paymasterVerificationGasLimit` is present only for operations with a paymaster,
 * from entry point 0.7 on.
 *
 * @example
 * ```ts
 * import { type GasEstimate } from 'keystead/clients';
 * const estimate: GasEstimate = {
 *   callGasLimit: 50_000n, verificationGasLimit: 100_000n, preVerificationGas: 48_000n };
 * ```
 */
export type GasEstimate = {
  readonly callGasLimit: bigint;
  readonly verificationGasLimit: bigint;
  readonly preVerificationGas: bigint;
  readonly paymasterVerificationGasLimit?: bigint;
};

/** The maximum number of entry points listed in an error, since a bundler's list may have any length. */
const MAX_NAMED = 10;

/** @returns An optional quantity by its name, or nothing. Bundlers omit it as either null or undefined. */
export const ifPresent = <const Name extends string>(name: Name, quantity: Hex | number | null | undefined) =>
  (quantity === null || quantity === undefined ? {} : { [name]: BigInt(quantity) }) as Partial<Record<Name, bigint>>;

/** @returns The estimate, or undefined if one of the two required gas limits is missing or zero. */
function gasEstimateOf(answer: Infer<typeof GasEstimateStruct>): GasEstimate | undefined {
  const callGasLimit = BigInt(answer.callGasLimit);
  const verificationGasLimit = BigInt(answer.verificationGasLimit ?? answer.verificationGas ?? 0);
  if (callGasLimit * verificationGasLimit === 0n) return undefined;
  return {
    callGasLimit,
    verificationGasLimit,
    preVerificationGas: BigInt(answer.preVerificationGas),
    ...ifPresent('paymasterVerificationGasLimit', answer.paymasterVerificationGasLimit),
  };
}

/**
 * A client of an ERC-4337 bundler (ERC-7769). If the bundler rejects an operation, the error message explains why, with
 * the entry point's AA code or the bundler's error number.
 */
export class BundlerClient {
  protected readonly rpc: JsonRpcClient;

  /**
   * @param options - The bundler's URL and limits.
   * @throws {InvalidParamsError} If the URL is not allowed; see {@link JsonRpcOptions.url}.
   */
  constructor(options: JsonRpcOptions) {
    this.rpc = new JsonRpcClient('bundler', options);
  }

  /**
   * `eth_chainId`.
   *
   * @returns The chain id of the bundler.
   * @throws {ServiceFailedError} If the bundler does not respond correctly.
   */
  async chainId(signal?: AbortSignal): Promise<bigint> {
    return BigInt(await this.rpc.request('eth_chainId', [], QuantityAnswerStruct, signal));
  }

  /**
   * `eth_supportedEntryPoints`.
   *
   * @returns The addresses of the supported entry points. @throws
   * {ServiceFailedError} If the bundler does not respond correctly.
   */
  supportedEntryPoints(signal?: AbortSignal): Promise<Hex[]> {
    return this.rpc.request('eth_supportedEntryPoints', [], EntryPointsStruct, signal);
  }

  /**
   * Checks that the bundler serves an entry point on a chain.
   *
   * @param chain - The expected chain id.
   * @param entryPoint - The expected entry point address.
   *
   * @throws {ServiceFailedError} If it does not; the message names the difference.
   */
  async assertServes(chain: bigint, entryPoint: Hex, signal?: AbortSignal): Promise<void> {
    const [chainId, supported] = await inOrder([this.chainId(signal), this.supportedEntryPoints(signal)]);
    if (chainId !== chain)
      throw new ServiceFailedError(
        `bundlerUrl: must be a bundler for chain ${chain}, but ${this.rpc.title} serves chain ${chainId}.`,
      );
    if (!supported.some((address) => isSameAddress(address, entryPoint)))
      throw new ServiceFailedError(
        `entryPoint: ${this.rpc.title} does not support ${entryPoint}; it supports ${supported.slice(0, MAX_NAMED).join(', ') || 'none'}.`,
      );
  }

  /**
   * `eth_estimateUserOperationGas`.
   *
   * @param operation - The operation, with a dummy signature of the real length.
   * @param domain - The entry point, its version and the chain.
   * @returns The gas estimates, without any margin.
   *
   * @throws {ServiceRefusedError} If the operation would fail; the message explains why.
   * @throws {ServiceFailedError} If the bundler does not respond, or returns no usable estimate.
   */
  async estimateGas(operation: UserOperation, domain: OperationDomain, signal?: AbortSignal): Promise<GasEstimate> {
    const answer = await this.#explainingErrors(() =>
      this.rpc.request(
        'eth_estimateUserOperationGas',
        [toRpcForm(operation, domain.version), domain.entryPoint],
        GasEstimateStruct,
        signal,
      ),
    );
    const estimate = gasEstimateOf(answer);
    if (estimate === undefined)
      throw new ServiceFailedError(
        this.rpc.sentence('returned an estimate without callGasLimit or verificationGasLimit.'),
      );
    return estimate;
  }

  /**
   * `pimlico_getUserOperationGasPrice`, which several bundlers have. A bundler refuses operations that pay less than it
   * suggests.
   *
   * @returns The suggested fees, in wei per gas.
   * @throws {ServiceRefusedError} If the bundler does not have the method.
   * @throws {ServiceFailedError} If it does not respond correctly.
   */
  async gasPrice(signal?: AbortSignal): Promise<Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>> {
    const { standard } = await this.rpc.request('pimlico_getUserOperationGasPrice', [], GasPriceStruct, signal);
    return {
      maxFeePerGas: BigInt(standard.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(standard.maxPriorityFeePerGas),
    };
  }

  /**
   * `eth_sendUserOperation`.
   *
   * @param operation - The signed operation.
   * @param domain - The entry point, its version and the chain.
   * @param options - `funds` looks up the payer's funds for the error message of AA21; `signal` cancels the request.
   * @returns The hash of the operation, computed locally.
   * @throws {ServiceRefusedError} If the bundler rejects the operation; the message explains why.
   * @throws {ServiceFailedError} If the bundler does not respond, or returns another hash. In either case the operation
   * may have been accepted.
   */
  async sendUserOperation(
    operation: UserOperation,
    domain: OperationDomain,
    { funds, signal }: { funds?: () => Promise<FundsFacts>; signal?: AbortSignal } = {},
  ): Promise<Hex> {
    const expected = toHex(userOperationHash(operation, domain));
    const answered = await this.#explainingErrors(
      () =>
        this.rpc.request(
          'eth_sendUserOperation',
          [toRpcForm(operation, domain.version), domain.entryPoint],
          UserOperationHashStruct,
          signal,
        ),
      funds,
    );
    if (answered.toLowerCase() !== expected)
      throw new ServiceFailedError(
        this.rpc.sentence(`returned the hash ${answered}, but the operation's hash is ${expected}.`),
      );
    return expected;
  }

  /**
   * `eth_getUserOperationReceipt`.
   *
   * @returns The transaction that the bundler names for an operation; undefined if it names none.
   */
  async transactionOf(hash: Hex, signal?: AbortSignal): Promise<Hex | undefined> {
    const answer = await this.rpc.request('eth_getUserOperationReceipt', [hash], NamedTransactionStruct, signal);
    return answer?.receipt.transactionHash;
  }

  /** `eth_getUserOperationByHash`. @returns Whether the bundler has the operation. */
  async hasUserOperation(hash: Hex, signal?: AbortSignal): Promise<boolean> {
    return (await this.rpc.request('eth_getUserOperationByHash', [hash], unknown(), signal)) !== null;
  }

  async #explainingErrors<T>(request: () => Promise<T>, funds?: () => Promise<FundsFacts>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      const { aa } = explainFailure(error.error);
      // Add the available funds if they can be looked up. If not, the explanation alone is enough.
      const facts = aa === 'AA21' ? await funds?.().catch(() => undefined) : undefined;
      throw new ServiceRefusedError(explainFailure(error.error, facts).sentence, error.error);
    }
  }
}
