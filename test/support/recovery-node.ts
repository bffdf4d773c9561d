import { encodeFunctionResult, type Hex, keccak256, parseAbi, toFunctionSelector } from 'viem';

import { type NodeReader } from '../../src/core/safe/recovery/answer';
import { type RecoveryModule, recoveryModuleAt } from '../../src/core/safe/recovery/modules';

const ABI = parseAbi([
  'struct Request { uint256 approvals; uint256 newThreshold; uint64 executeAfter; address[] newOwners; }',
  'function getModulesPaginated(address start, uint256 size) view returns (address[] modules, address next)',
  'function getOwners() view returns (address[])',
  'function getThreshold() view returns (uint256)',
  'function getGuardians(address wallet) view returns (address[])',
  'function threshold(address wallet) view returns (uint256)',
  'function nonce(address wallet) view returns (uint256)',
  'function getRecoveryRequest(address wallet) view returns (Request)',
]);

/** @returns An address of one repeated digit. */
export const party = (digit: string): Hex => `0x${digit.repeat(40)}`;

export const SENTINEL: Hex = `0x${'0'.repeat(39)}1`;
export const SAFE = party('5');

/** Bytes that stand for a module's code. */
export const MODULE_CODE: Hex = '0x6001';

/** A module whose code is {@link MODULE_CODE}. */
export const MODULE: RecoveryModule = {
  name: 'Social Recovery Module',
  version: '0.1.0',
  address: '0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD',
  codeHash: keccak256(MODULE_CODE),
  period: 86_400n,
  signingVersion: '0.0.1',
};

const ADDRESS = MODULE.address.toLowerCase() as Hex;

/** The time of the node's block, in seconds since 1970. */
export const NOW = 1_800_000_000n;

/** What the contracts have. */
export type Chain = {
  readonly modules: readonly Hex[];
  readonly next: Hex;
  readonly owners: readonly Hex[];
  readonly guardians: readonly Hex[];
  readonly threshold: bigint;
  readonly nonce: bigint;
  readonly approvals: bigint;
  readonly newThreshold: bigint;
  readonly executeAfter: bigint;
  readonly newOwners: readonly Hex[];
};

/** A Safe with two guardians, of whom both have to confirm, and no recovery. */
export const GUARDED: Chain = {
  modules: [ADDRESS],
  next: SENTINEL,
  owners: [party('a')],
  guardians: [party('1'), party('2')],
  threshold: 2n,
  nonce: 0n,
  approvals: 0n,
  newThreshold: 0n,
  executeAfter: 0n,
  newOwners: [],
};

/** The same during a recovery. */
export const RECOVERING: Chain = {
  ...GUARDED,
  nonce: 1n,
  approvals: 2n,
  newThreshold: 1n,
  executeAfter: NOW + 3600n,
  newOwners: [party('b')],
};

/** The answers of the contracts to `eth_call`, by function name. */
export function answersOf(chain: Chain): Record<string, Hex> {
  const { modules, next, owners, guardians, threshold, nonce, approvals, newThreshold, executeAfter, newOwners } =
    chain;
  const request = { approvals, newThreshold, executeAfter, newOwners };
  return {
    getModulesPaginated: encodeFunctionResult({
      abi: ABI,
      functionName: 'getModulesPaginated',
      result: [modules, next],
    }),
    getOwners: encodeFunctionResult({ abi: ABI, functionName: 'getOwners', result: owners }),
    getGuardians: encodeFunctionResult({ abi: ABI, functionName: 'getGuardians', result: guardians }),
    threshold: encodeFunctionResult({ abi: ABI, functionName: 'threshold', result: threshold }),
    nonce: encodeFunctionResult({ abi: ABI, functionName: 'nonce', result: nonce }),
    getRecoveryRequest: encodeFunctionResult({ abi: ABI, functionName: 'getRecoveryRequest', result: request }),
  };
}

const NAMES: ReadonlyMap<string, string> = new Map(
  ABI.flatMap((item) => (item.type === 'function' ? [[toFunctionSelector(item), item.name] as const] : [])),
);

/** Of every Safe here, one owner must sign. */
const ONE_OWNER = { getThreshold: encodeFunctionResult({ abi: ABI, functionName: 'getThreshold', result: 1n }) };

/** @returns The answer to an `eth_call`, from the answers by function name. */
export const answerTo = (data: Hex, answers: Readonly<Record<string, Hex>>): Hex =>
  ({ ...ONE_OWNER, ...answers })[NAMES.get(data.slice(0, 10)) ?? ''] ?? '0x';

/** @returns The answer to an `eth_call` where none of the real recovery modules is deployed. */
export const answerWithout = ({ to, data }: { to: Hex; data: Hex }, answers: Readonly<Record<string, Hex>>): Hex =>
  recoveryModuleAt(to) === undefined ? answerTo(data, answers) : '0x';

/**
 * A node with these contracts.
 *
 * @param lies - Answers that replace the contracts', by function name; `code` replaces the module's code.
 */
export const nodeWith = (chain: Chain, lies: Readonly<Record<string, Hex>> = {}): NodeReader => ({
  ask: (method, params, result) => {
    const answer = (): unknown => {
      if (method === 'eth_getBlockByNumber') return { number: '0x10', timestamp: `0x${NOW.toString(16)}` };
      if (method === 'eth_getCode') return lies.code ?? MODULE_CODE;
      const [{ data }, block] = params as [{ data: Hex }, Hex];
      if (block !== '0x10') throw new Error(`asked at ${block}`);
      return answerTo(data, { ...answersOf(chain), ...lies });
    };
    return Promise.resolve(result.create(answer()));
  },
});
