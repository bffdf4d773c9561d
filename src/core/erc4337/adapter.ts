import { type Hex } from '../eth/bytes';
import { type EntryPointVersion, versionOfEntryPoint } from './entry-points';
import { unpackedFields } from './rpc-form';

/** The bundler methods whose first parameter is an operation and whose second is the entry point (ERC-7769). */
const OPERATION_METHODS: ReadonlySet<string> = new Set(['eth_sendUserOperation', 'eth_estimateUserOperationGas']);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBytes = (value: unknown): value is Hex => typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/u.test(value);

/**
 * MetaMask's UserOperationController sends operations in the form of entry point 0.6 whatever the entry
 * point is. This turns the parameters of such a request into what a bundler of 0.7 or later takes (ERC-7769).
 * Everything else (other methods, operations of 0.6, operations that have the right form) passes unchanged.
 *
 * @param method - The method of a JSON-RPC request.
 * @param params - Its parameters, as they came.
 * @param versionOf - The version of an entry point by its address; operations for unknown ones pass unchanged.
 * @returns The parameters to send on.
 * @throws {InvalidParamsError} If `initCode` or `paymasterAndData` is too short to be taken apart.
 */
export function adaptParams(
  method: string,
  params: unknown,
  versionOf: (entryPoint: string) => EntryPointVersion | undefined = versionOfEntryPoint,
): unknown {
  if (!OPERATION_METHODS.has(method) || !Array.isArray(params)) return params;
  const [operation, entryPoint, ...rest] = params as unknown[];
  if (!isObject(operation) || typeof entryPoint !== 'string') return params;
  const version = versionOf(entryPoint);
  const { initCode, paymasterAndData, ...common } = operation;
  if (version === undefined || version === '0.6' || !isBytes(initCode) || !isBytes(paymasterAndData)) return params;
  return [{ ...common, ...unpackedFields({ initCode, paymasterAndData }, version) }, entryPoint, ...rest];
}
