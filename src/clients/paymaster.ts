import { type EntryPointVersion } from '../core/erc4337/entry-points';
import { type OperationDomain } from '../core/erc4337/hash';
import { joinPaymasterAndData, splitPaymasterAndData } from '../core/erc4337/packed-fields';
import { type RpcUserOperation, toRpcForm } from '../core/erc4337/rpc-form';
import { type UserOperation } from '../core/erc4337/user-operation';
import { ServiceRefusedError } from '../core/errors';
import { type Hex, quantityToHex } from '../core/eth/bytes';
import { PaymasterAnswer06Struct, PaymasterData07Struct, PaymasterStub07Struct } from '../core/schemas/paymaster';
import { JsonRpcClient, type JsonRpcOptions } from './json-rpc';
import { type Struct } from '../core/structs/struct';

/**
 * The stub data of a paymaster service, used for gas estimation.
 *
 * @example
 * ```ts
 * import { type PaymasterStub } from 'keystead/clients';
 * const stub: PaymasterStub = {
 *   paymasterAndData: `0x${'aa'.repeat(52)}`, isFinal: false, verificationGasOpen: false };
 * ```
 */
export type PaymasterStub = {
  /** Has the final length, so gas estimates are accurate. */
  readonly paymasterAndData: Hex;
  /** Whether the data is already final, so that {@link PaymasterClient.data} need not be called. */
  readonly isFinal: boolean;
  /**
   * From entry point 0.7 on: whether the service leaves the paymaster's verification gas to the bundler's estimate. The
   * data then contains a placeholder of 200 000 gas.
   */
  readonly verificationGasOpen: boolean;
};

/** The placeholder for the paymaster's verification gas until the bundler has estimated it, in gas. */
const PLACEHOLDER_VERIFICATION_GAS = 200_000n;

const lowerCase = (bytes: Hex): Hex => bytes.toLowerCase() as Hex;

/** Only entry point 0.9 separates a signature of the paymaster from its data. */
const separate = (paymasterSignature: Hex | undefined, version: EntryPointVersion) =>
  version === '0.9' && paymasterSignature !== undefined && paymasterSignature !== '0x' ? { paymasterSignature } : {};

/**
 * A client of a paymaster web service (ERC-7677). The service receives the operation without its signature and holds
 * the sponsor's keys itself.
 *
 * @example
 * ```ts
 * import { PaymasterClient } from 'keystead/clients';
 * const paymaster = new PaymasterClient({ url: 'https://paymaster.example' }, { policy: 'free' });
 * const domain = { version: '0.7', entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032', chainId: 1n } as const;
 * const gas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n };
 * const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
 * const sender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const bytes = { initCode: '0x', callData: '0x', paymasterAndData: '0x', signature: '0x' } as const;
 * const stub = await paymaster.stubData({ sender, nonce: 0n, ...bytes, ...gas, ...fees }, domain);
 * stub.isFinal; // => false
 * ```
 */
export class PaymasterClient {
  readonly #rpc: JsonRpcClient;
  readonly #context: Readonly<Record<string, unknown>>;

  /**
   * @param options - The service's URL and limits.
   * @param context - Sent to the service with every request, for example a policy id.
   * @throws {InvalidParamsError} If the URL is not allowed; see {@link JsonRpcOptions.url}.
   */
  constructor(options: JsonRpcOptions, context: Readonly<Record<string, unknown>> = {}) {
    this.#rpc = new JsonRpcClient('paymaster service', options);
    this.#context = context;
  }

  /**
   * `pm_getPaymasterStubData`.
   *
   * @param operation - The operation before gas limits and fees are known.
   * @param domain - The entry point, its version and the chain.
   * @throws {ServiceRefusedError} If the service does not sponsor the operation.
   * @throws {ServiceFailedError} If the service does not respond correctly.
   */
  async stubData(operation: UserOperation, domain: OperationDomain, signal?: AbortSignal): Promise<PaymasterStub> {
    const method = 'pm_getPaymasterStubData';
    if (domain.version === '0.6') {
      const answer = await this.#ask(method, operation, domain, PaymasterAnswer06Struct, signal);
      const { paymasterAndData, isFinal = false } = answer;
      return { paymasterAndData: lowerCase(paymasterAndData), isFinal, verificationGasOpen: false };
    }
    const answer = await this.#ask(method, operation, domain, PaymasterStub07Struct, signal);
    const {
      paymaster,
      paymasterData,
      paymasterSignature,
      paymasterVerificationGasLimit,
      paymasterPostOpGasLimit,
      isFinal = false,
    } = answer;
    return {
      paymasterAndData: joinPaymasterAndData({
        paymaster,
        paymasterVerificationGasLimit:
          paymasterVerificationGasLimit === undefined
            ? PLACEHOLDER_VERIFICATION_GAS
            : BigInt(paymasterVerificationGasLimit),
        paymasterPostOpGasLimit: BigInt(paymasterPostOpGasLimit),
        paymasterData,
        ...separate(paymasterSignature, domain.version),
      }),
      isFinal,
      verificationGasOpen: paymasterVerificationGasLimit === undefined,
    };
  }

  /**
   * `pm_getPaymasterData`.
   *
   * @param operation - The operation with final gas limits and fees. From 0.7 on, `paymasterAndData` contains the
   * paymaster's gas limits.
   * @param domain - The entry point, its version and the chain.
   * @returns The final `paymasterAndData`.
   * @throws {ServiceRefusedError} If the service does not sponsor the operation.
   * @throws {ServiceFailedError} If the service does not respond correctly.
   */
  async data(operation: UserOperation, domain: OperationDomain, signal?: AbortSignal): Promise<Hex> {
    const method = 'pm_getPaymasterData';
    const { version } = domain;
    if (version === '0.6')
      return lowerCase((await this.#ask(method, operation, domain, PaymasterAnswer06Struct, signal)).paymasterAndData);
    const answer = await this.#ask(method, operation, domain, PaymasterData07Struct, signal);
    const { paymaster, paymasterData, paymasterSignature } = answer;
    const limits = splitPaymasterAndData(operation.paymasterAndData, version);
    return joinPaymasterAndData({
      paymaster,
      paymasterVerificationGasLimit: limits?.paymasterVerificationGasLimit ?? PLACEHOLDER_VERIFICATION_GAS,
      paymasterPostOpGasLimit: limits?.paymasterPostOpGasLimit ?? 0n,
      paymasterData,
      ...separate(paymasterSignature, version),
    });
  }

  async #ask<T>(
    method: string,
    operation: UserOperation,
    { version, entryPoint, chainId }: OperationDomain,
    answer: Struct<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { signature: _unsigned, ...unsigned }: RpcUserOperation = toRpcForm(operation, version);
    try {
      return await this.#rpc.request(
        method,
        [unsigned, entryPoint, quantityToHex(chainId), this.#context],
        answer,
        signal,
      );
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      throw new ServiceRefusedError(
        `paymasterUrl: ${this.#rpc.title} does not sponsor this operation: ${error.error.message} (${error.error.code})`,
        error.error,
      );
    }
  }
}
