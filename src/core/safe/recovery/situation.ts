import { GET_THRESHOLD } from '../owners/owners';
import { uint256 } from '../../eth/abi';
import { type Hex } from '../../eth/bytes';
import { BytesStruct } from '../../structs/hex';
import { askContract, type NodeReader, type ReadAt } from './answer';
import { type DelayModifier } from './delay-modifier';
import { kindOfModule } from './module-kind';
import { hasModuleCode, type RecoveryModule } from './modules';
import { readModules } from './safe-modules';
import { assertOwnersNeeded, OtherCodeError, readOwners, readRecovery, type RecoveryState } from './state';

/** The recovery module of a Safe, and what it has there. */
export type Recoverable = { readonly module: RecoveryModule; readonly state: RecoveryState };

/** How a Safe stands on a network, as far as its modules decide it. */
export type Situation = {
  readonly isDeployed: boolean;
  /** None if it is not deployed. */
  readonly owners: readonly Hex[];
  /** How many of the owners must sign. */
  readonly threshold: bigint;
  /** The enabled modules, in the order in which the Safe lists them. */
  readonly modules: readonly Hex[];
  /** The known recovery modules that are enabled, or still have guardians or a pending recovery. */
  readonly recoveries: readonly Recoverable[];
  readonly delays: readonly (DelayModifier & { readonly address: Hex })[];
  /** The enabled modules that Keystead does not know. They may do anything with the Safe. */
  readonly unknown: readonly Hex[];
  /** The known modules that this network has, with the code that Keystead knows. */
  readonly offered: readonly RecoveryModule[];
};

const codeAt = (address: Hex, node: NodeReader): Promise<Hex> =>
  node.ask('eth_getCode', [address, 'latest'], BytesStruct);

/** A module with other code than the known one counts as unknown. */
const unlessOther = (error: unknown): undefined => {
  if (!(error instanceof OtherCodeError)) throw error;
};

const isLeft = ({ isEnabled, guardians, pending }: RecoveryState): boolean =>
  isEnabled || guardians.length > 0 || pending !== undefined;

/** Which of the modules a network has, with their code. */
async function offeredOn(node: NodeReader, modules: readonly RecoveryModule[], safe: Hex): Promise<Recoverable[]> {
  const read = await Promise.all(modules.map((module) => readRecovery(safe, module, node).catch(unlessOther)));
  return modules.flatMap((module, index) => {
    const state = read[index];
    return state === undefined ? [] : [{ module, state }];
  });
}

/**
 * Reads how a Safe stands on a network.
 *
 * @param modules - The recovery modules to look for.
 * @throws {ServiceFailedError} If the node does not answer, or its answers contradict each other.
 */
export async function readSituation(
  safe: Hex,
  modules: readonly RecoveryModule[],
  node: NodeReader,
): Promise<Situation> {
  const at: ReadAt = { node, block: 'latest' };
  if ((await codeAt(safe, node)) === '0x') {
    const codes = await Promise.all(modules.map(({ address }) => codeAt(address, node)));
    const offered = modules.filter((module, index) => hasModuleCode(module, codes[index] ?? '0x'));
    return {
      isDeployed: false,
      owners: [],
      threshold: 1n,
      modules: [],
      recoveries: [],
      delays: [],
      unknown: [],
      offered,
    };
  }
  const [enabled, owners, [threshold], offered] = await Promise.all([
    readModules(safe, at),
    readOwners(safe, at),
    askContract(safe, GET_THRESHOLD, { returns: [uint256], field: 'threshold' }, at),
    offeredOn(node, modules, safe),
  ]);
  assertOwnersNeeded(threshold, owners);
  const recoveries = offered.filter(({ state }) => isLeft(state));
  const kinds = await Promise.all(enabled.map((address) => kindOfModule(address, modules, at)));
  return {
    isDeployed: true,
    owners,
    threshold,
    modules: enabled,
    recoveries,
    delays: kinds.flatMap((one) => (one.kind === 'delay' ? [{ ...one.delay, address: one.address }] : [])),
    unknown: kinds.flatMap(({ kind, address }) => (kind === 'unknown' ? [address] : [])),
    offered: offered.map(({ module }) => module),
  };
}
