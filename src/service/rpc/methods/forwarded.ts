import { adaptParams } from '../../../erc4337/adapter';
import { InvalidParamsError } from '../../../errors';
import { READS } from '../../../wire/reads';
import { invalidParams, methodNotFound } from '../errors';
import { type Network, type Target, WHAT } from '../network';
import { checkNesting } from '../params';
import type { Bound } from './method';

/** What a node is asked for unless the operator lists other methods: reads, and sending signed transactions. */
const NODE_METHODS = [
  ...READS,
  'eth_blobBaseFee',
  'eth_createAccessList',
  'eth_getBlockReceipts',
  'eth_sendRawTransaction',
  'net_listening',
  'net_peerCount',
  'web3_sha3',
] as const;

/** The interface of a bundler (ERC-7769). */
const BUNDLER_METHODS = [
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_getUserOperationReceipt',
  'eth_sendUserOperation',
  'eth_supportedEntryPoints',
] as const;

const BUILT_IN = new Map<string, Target>([
  ...NODE_METHODS.map((name) => [name, 'upstream'] as const),
  ...BUNDLER_METHODS.map((name) => [name, 'bundler'] as const),
]);

/** @returns Who is asked; undefined if the method is not passed on. @throws {RpcError} -32601 if there is nobody. */
function targetOf(network: Network, method: string): Target | undefined {
  const target = network.listedTarget(method) ?? BUILT_IN.get(method);
  if (target && !network.has(target)) throw methodNotFound(method, `this network has no ${WHAT[target]}`);
  return target && network.passes(target, method) ? target : undefined;
}

/**
 * The parameters as the network's bundler takes them. MetaMask's controller sends every operation in the form of
 * entry point 0.6.
 */
function forBundler(network: Network, method: string, params: unknown): unknown {
  try {
    return adaptParams(method, params, (entryPoint) => network.versionOfEntryPoint(entryPoint));
  } catch (error) {
    throw error instanceof InvalidParamsError ? invalidParams(error.message) : error;
  }
}

/**
 * @param network - Of the request.
 * @param method - A method that the service does not answer itself.
 * @param params - Its parameters.
 * @returns What is left to do; undefined if the method is not passed on.
 * @throws {RpcError} -32601 if the network has no node or bundler to ask, -32602 if they are nested too deeply, or if an operation cannot be put into the form that the bundler takes.
 */
export function bindForwarded(network: Network, method: string, params: unknown): Bound | undefined {
  const target = targetOf(network, method);
  if (!target) return undefined;
  checkNesting(params);
  const sent = target === 'bundler' ? forBundler(network, method, params) : params;
  return (asked) => asked.ask(target, method, sent);
}
