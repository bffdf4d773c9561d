import { type Hex } from '../eth/bytes';
import { type EntryPointVersion, versionOfEntryPoint } from './entry-points';
import { unpackedFields } from './rpc-form';

/** The bundler methods that take an operation and its entry point as the first two parameters (ERC-7769). */
const OPERATION_METHODS: ReadonlySet<string> = new Set(['eth_sendUserOperation', 'eth_estimateUserOperationGas']);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBytes = (value: unknown): value is Hex => typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/u.test(value);

/**
 * Converts a user operation to the form of its entry point version. MetaMask's UserOperationController always sends the
 * form of entry point 0.6; bundlers for 0.7 and later expect unpacked fields (ERC-7769). Everything else passes through
 * unchanged: other methods, operations for 0.6, and operations that already have the right form.
 *
 * @param method - The method of a JSON-RPC request.
 * @param params - Its parameters, not yet validated.
 * @param versionOf - Returns the version of an entry point address. Operations for unknown entry points pass through
 * unchanged.
 * @returns The parameters to forward.
 * @throws {InvalidParamsError} If `initCode` or `paymasterAndData` is too short to split.
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
