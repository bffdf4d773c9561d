import { adaptParams } from '../../../core/erc4337/adapter';
import { InvalidParamsError } from '../../../core/errors';
import { invalidParams, methodNotFound } from '../errors';
import type { RpcRequest } from '../json-rpc';
import { JsonPieces, JsonText, writtenAs } from '../json-text';
import { type Network, type Target, WHAT } from '../network';
import { NODE_METHODS } from '../upstreams/node-methods';
import type { Bound } from './method';

/** The interface of a bundler (ERC-7769), and the method by which clients of alto ask for its gas price. */
const BUNDLER_METHODS = [
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_getUserOperationReceipt',
  'eth_sendUserOperation',
  'eth_supportedEntryPoints',
  'pimlico_getUserOperationGasPrice',
] as const;

/** Maximum nesting depth of forwarded parameters, including their outer array or object. No method needs ten levels. */
const MAX_LEVELS = 64;

const BUILT_IN = new Map<string, Target>([
  ...NODE_METHODS.map((name) => [name, 'upstream'] as const),
  ...BUNDLER_METHODS.map((name) => [name, 'bundler'] as const),
]);

/** The methods that are forwarded without any list of the operator. */
export const FORWARDED_METHODS: readonly string[] = [...BUILT_IN.keys()];

/**
 * @returns The target; undefined if the method is not forwarded. @throws {RpcError} -32601 if the network lacks the
 * target.
 */
function targetOf(network: Network, method: string): Target | undefined {
  const target = network.listedTarget(method) ?? BUILT_IN.get(method);
  if (target && !network.has(target)) throw methodNotFound(method, `this network has no ${WHAT[target]}`);
  return target && network.passes(target, method) ? target : undefined;
}

/** @returns Whether the network has a node or bundler that requests for the method are passed to. */
export function isForwarded(network: Network, method: string): boolean {
  const target = network.listedTarget(method) ?? BUILT_IN.get(method);
  return target !== undefined && network.has(target) && network.passes(target, method);
}

/**
 * Converts parameters to the form that the network's bundler accepts. MetaMask's controller sends every operation in
 * the form of entry point 0.6.
 */
function forBundler(network: Network, method: string, params: unknown): unknown {
  try {
    return adaptParams(method, params, (entryPoint) => network.versionOfEntryPoint(entryPoint));
  } catch (error) {
    throw error instanceof InvalidParamsError ? invalidParams(error.message) : error;
  }
}

/**
 * @param network - The request's network.
 * @param request - A request for a method that the service does not answer itself.
 * @returns The bound request; undefined if the method is not forwarded.
 * @throws {RpcError} -32601 if the network has no node or bundler for it, -32602 if the parameters are nested too
 * deeply, or an operation cannot be converted to the form that the bundler accepts.
 */
export function bindForwarded(network: Network, { method, params, sent }: RpcRequest): Bound | undefined {
  const target = targetOf(network, method);
  if (!target) return undefined;
  const { text, levels } = sent();
  if (levels > MAX_LEVELS) throw invalidParams(`params: nested more than ${MAX_LEVELS} levels deep`);
  const adapted = target === 'bundler' ? forBundler(network, method, params) : params;
  const written = writtenAs(adapted, { value: params, text });
  return async (asked, deadline, room) => {
    const result = await asked.ask(target, method, written, deadline, room);
    return result instanceof JsonPieces ? result : new JsonText(result.text);
  };
}
