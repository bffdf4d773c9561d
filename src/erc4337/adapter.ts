import { type Hex } from '../eth/bytes';
import { type EntryPointVersion, versionOfEntryPoint } from './entry-points';
import { unpackedFields } from './rpc-form';

/** The bundler methods whose first parameter is an operation and whose second is the entry point (ERC-7769). */
const OPERATION_METHODS: ReadonlySet<unknown> = new Set(['eth_sendUserOperation', 'eth_estimateUserOperationGas']);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBytes = (value: unknown): value is Hex => typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/u.test(value);

/**
 * MetaMask's UserOperationController sends operations in the form of entry point 0.6 whatever the entry
 * point is. This turns such a request into what a bundler of 0.7 or later takes. Everything else (other
 * methods, operations of 0.6, operations that have the right form) passes unchanged.
 *
 * @param request - A JSON-RPC request, as it came.
 * @param versionOf - The version of an entry point by its address; unknown ones pass unchanged.
 * @returns The request to send on.
 * @throws {InvalidParamsError} If `initCode` or `paymasterAndData` is too short to be taken apart.
 */
export function adaptRequest(
  request: unknown,
  versionOf: (entryPoint: string) => EntryPointVersion | undefined = versionOfEntryPoint,
): unknown {
  if (!isObject(request) || !OPERATION_METHODS.has(request.method) || !Array.isArray(request.params)) return request;
  const [operation, entryPoint, ...rest] = request.params as unknown[];
  if (!isObject(operation) || typeof entryPoint !== 'string') return request;
  const version = versionOf(entryPoint);
  const { initCode, paymasterAndData, ...common } = operation;
  if (version === undefined || version === '0.6' || !isBytes(initCode) || !isBytes(paymasterAndData)) return request;
  return {
    ...request,
    params: [{ ...common, ...unpackedFields({ initCode, paymasterAndData }, version) }, entryPoint, ...rest],
  };
}
