import { type OperationPlace } from '../core/erc4337/hash';
import { joinPaymasterAndData, splitPaymasterAndData } from '../core/erc4337/packed-fields';
import { type RpcUserOperation, toRpcForm } from '../core/erc4337/rpc-form';
import { type UserOperation } from '../core/erc4337/user-operation';
import { ServiceRefusedError } from '../core/errors';
import { type Hex, quantityToHex } from '../core/eth/bytes';
import { PaymasterAnswer06Struct, PaymasterData07Struct, PaymasterStub07Struct } from '../core/schemas/paymaster';
import { JsonRpcClient, type JsonRpcOptions } from './json-rpc';
import { type Struct } from '../core/schemas/struct';

/** What a paymaster service says before gas is estimated. */
export type PaymasterStub = {
  /** Of the final length, so that estimates hold. */
  readonly paymasterAndData: Hex;
  /** The data is final already: the service need not be asked again. */
  readonly isFinal: boolean;
  /** The service left the paymaster's verification gas to the estimate (from 0.7 on); a stand-in is in the data. */
  readonly verificationGasOpen: boolean;
};

/** Stands in for the paymaster's verification gas until the bundler has estimated it; gas. */
const STAND_IN_VERIFICATION_GAS = 200_000n;

const lowerCase = (bytes: Hex): Hex => bytes.toLowerCase() as Hex;

/** A paymaster web service (ERC-7677). It gets the operation without a signature and holds the sponsor's keys itself. */
export class PaymasterClient {
  readonly #rpc: JsonRpcClient;
  readonly #context: Readonly<Record<string, unknown>>;

  /** @param context - What the service wants to be told with every request, such as a policy. */
  constructor(options: JsonRpcOptions, context: Readonly<Record<string, unknown>> = {}) {
    this.#rpc = new JsonRpcClient('paymaster service', options);
    this.#context = context;
  }

  /**
   * `pm_getPaymasterStubData`.
   *
   * @param operation - Without gas limits and fees yet.
   * @throws {ServiceRefusedError} If the service does not sponsor the operation.
   */
  async stubData(operation: UserOperation, place: OperationPlace, signal?: AbortSignal): Promise<PaymasterStub> {
    const method = 'pm_getPaymasterStubData';
    if (place.version === '0.6') {
      const answer = await this.#ask(method, operation, place, PaymasterAnswer06Struct, signal);
      const { paymasterAndData, isFinal = false } = answer;
      return { paymasterAndData: lowerCase(paymasterAndData), isFinal, verificationGasOpen: false };
    }
    const answer = await this.#ask(method, operation, place, PaymasterStub07Struct, signal);
    const {
      paymaster,
      paymasterData,
      paymasterVerificationGasLimit,
      paymasterPostOpGasLimit,
      isFinal = false,
    } = answer;
    return {
      paymasterAndData: joinPaymasterAndData({
        paymaster,
        paymasterVerificationGasLimit:
          paymasterVerificationGasLimit === undefined
            ? STAND_IN_VERIFICATION_GAS
            : BigInt(paymasterVerificationGasLimit),
        paymasterPostOpGasLimit: BigInt(paymasterPostOpGasLimit),
        paymasterData,
      }),
      isFinal,
      verificationGasOpen: paymasterVerificationGasLimit === undefined,
    };
  }

  /**
   * `pm_getPaymasterData`.
   *
   * @param operation - With final gas limits and fees; from 0.7 on the paymaster's own are in `paymasterAndData`.
   * @returns The final `paymasterAndData`.
   * @throws {ServiceRefusedError} If the service does not sponsor the operation.
   */
  async data(operation: UserOperation, place: OperationPlace, signal?: AbortSignal): Promise<Hex> {
    const method = 'pm_getPaymasterData';
    const { version } = place;
    if (version === '0.6')
      return lowerCase((await this.#ask(method, operation, place, PaymasterAnswer06Struct, signal)).paymasterAndData);
    const { paymaster, paymasterData } = await this.#ask(method, operation, place, PaymasterData07Struct, signal);
    const limits = splitPaymasterAndData(operation.paymasterAndData, version);
    return joinPaymasterAndData({
      paymaster,
      paymasterVerificationGasLimit: limits?.paymasterVerificationGasLimit ?? STAND_IN_VERIFICATION_GAS,
      paymasterPostOpGasLimit: limits?.paymasterPostOpGasLimit ?? 0n,
      paymasterData,
    });
  }

  async #ask<T>(
    method: string,
    operation: UserOperation,
    { version, entryPoint, chainId }: OperationPlace,
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
