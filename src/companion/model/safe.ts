import { type Address, getAddress, type Hex, parseAbi } from 'viem';
import { call, getCode, getStorageAt, readContract } from 'viem/actions';

import { quotable } from '../../core/decode/words/text';
import { GUARD_SLOT, HANDLER_SLOT, MODULE_4337, SINGLETON } from '../../core/safe/contracts';
import {
  GET_OWNERS,
  type Owner,
  ownerWith,
  readOwners,
  type SafeOwners,
  THRESHOLD_SLOT,
} from '../../core/safe/owners/owners';
import { isSameAddress, SENTINEL, ZERO_ADDRESS } from '../../core/eth/address';
import { lowerCase } from '../../core/eth/bytes';
import { kindOfModule, type ModuleKind } from '../../core/safe/recovery/module-kind';
import { delayInWords, RECOVERY_MODULES, type RecoveryModule } from '../../core/safe/recovery/modules';
import { type NodeClient } from './node';
import { nodeReader } from './recovery';

/** The storage slot of the guard of a Safe's modules (1.5.0). */
const MODULE_GUARD_SLOT: Hex = '0xb104e0b93118902c651344349b610029d694cfdec91c589c91ebafbcd0289947';

const SAFE_ABI = parseAbi([
  'function VERSION() view returns (string)',
  'function getModulesPaginated(address start, uint256 pageSize) view returns (address[] modules, address next)',
]);

/** More modules than any account has. */
const MAX_MODULES = 50n;

/** The first slot of a Safe's proxy: the contract whose code it runs. */
const SINGLETON_SLOT: Hex = `0x${'0'.repeat(64)}`;

/** A Safe as its network has it. */
export type SafeState = SafeOwners & {
  /** The owners, with how each signs. */
  readonly kinds: readonly Owner[];
  readonly singleton: Address;
  /** As the contract says, such as "1.4.1". */
  readonly version: string;
  readonly modules: readonly ModuleKind[];
  /** There are more modules than those. */
  readonly hasMoreModules: boolean;
  /** undefined where there is none. */
  readonly guard: Address | undefined;
  readonly moduleGuard: Address | undefined;
  readonly fallbackHandler: Address | undefined;
};

async function addressAt(node: NodeClient, safe: Address, slot: Hex): Promise<Address | undefined> {
  const word = (await getStorageAt(node, { address: safe, slot })) ?? '0x0';
  const address: Address = `0x${BigInt(word === '0x' ? 0 : word)
    .toString(16)
    .padStart(40, '0')}`;
  if (address.length !== 42) throw new Error(`The node's answer about ${safe} is not an address.`);
  return address === ZERO_ADDRESS ? undefined : getAddress(address);
}

/**
 * Reads a Safe's owners.
 *
 * @returns undefined if there is no contract at the address yet.
 * @throws If the node does not respond, or what is there is not a Safe.
 */
export async function readSafeOwners(node: NodeClient, safe: Address): Promise<SafeOwners | undefined> {
  const [code, threshold, { data = '0x' }] = await Promise.all([
    getCode(node, { address: safe }),
    getStorageAt(node, { address: safe, slot: THRESHOLD_SLOT }),
    call(node, { to: safe, data: GET_OWNERS }),
  ]);
  if (code === undefined) return undefined;
  return readOwners(safe, data, BigInt(threshold === undefined || threshold === '0x' ? 0 : threshold));
}

/**
 * Reads a Safe with everything that can act for it or stop it.
 *
 * @param known - The recovery modules that are called by their names, if they have the code.
 * @returns undefined if there is no contract at the address yet.
 * @throws If the node does not respond, or what is there is not a Safe.
 */
export async function readSafe(
  node: NodeClient,
  safe: Address,
  known: readonly RecoveryModule[] = RECOVERY_MODULES,
): Promise<SafeState | undefined> {
  const owners = await readSafeOwners(node, safe);
  if (owners === undefined) return undefined;
  const [codes, version, [modules, next], singleton, guard, moduleGuard, fallbackHandler] = await Promise.all([
    Promise.all(owners.owners.map((address) => getCode(node, { address }))),
    readContract(node, { address: safe, abi: SAFE_ABI, functionName: 'VERSION' }),
    readContract(node, {
      address: safe,
      abi: SAFE_ABI,
      functionName: 'getModulesPaginated',
      args: [SENTINEL, MAX_MODULES],
    }),
    addressAt(node, safe, SINGLETON_SLOT),
    addressAt(node, safe, GUARD_SLOT),
    addressAt(node, safe, MODULE_GUARD_SLOT),
    addressAt(node, safe, HANDLER_SLOT),
  ]);
  if (singleton === undefined) throw new Error(`${safe} runs the code of no other contract, so it is not a Safe.`);
  const at = { node: nodeReader(node), block: 'latest' } as const;
  return {
    ...owners,
    kinds: owners.owners.map((owner, index) => ownerWith(owner, codes[index] ?? '0x')),
    singleton,
    version,
    modules: await Promise.all(modules.map((module) => kindOfModule(module, known, at))),
    hasMoreModules: !isSameAddress(next, SENTINEL),
    guard,
    moduleGuard,
    fallbackHandler,
  };
}

/** @returns The Safe of an own account as its first operation deploys it. @param owner - The account's own key. */
export const safeToBe = (owner: Hex): SafeState => ({
  owners: [lowerCase(owner)],
  threshold: 1,
  kinds: [ownerWith(lowerCase(owner), '0x')],
  singleton: getAddress(SINGLETON),
  version: '1.4.1',
  modules: [{ address: MODULE_4337, kind: 'erc4337' }],
  hasMoreModules: false,
  guard: undefined,
  moduleGuard: undefined,
  fallbackHandler: getAddress(MODULE_4337),
});

/**
 * @returns Whether the Safe runs the code that Keystead knows. Any other code may answer whatever it likes about
 * itself.
 */
export const hasKnownSingleton = ({ singleton }: Pick<SafeState, 'singleton'>): boolean =>
  isSameAddress(singleton, SINGLETON);

/** @returns The version that a Safe states. Its code may state anything. */
export const versionOf = ({ version }: Pick<SafeState, 'version'>): string =>
  `Safe “${quotable(version, 20)}”, as the contract says`;

/** Something that can act for a Safe or stop it besides its owners, and what that means. */
export type SafePower = {
  readonly label: string;
  readonly address: Address;
  readonly meaning: string;
  /** Keystead does not know the contract, or knows it to be unsafe. */
  readonly isUnknown: boolean;
};

const UNKNOWN_MODULE =
  'Keystead does not know this module. It can do anything with the account, without a signature of its owners. Do not rely on it for recovery.';
const MODULE_0_3_0 = 'Safe4337Module 0.3.0: it carries out the user operations that the owners sign.';

/** The powers of a module. */
function meaningOf(one: ModuleKind): string {
  switch (one.kind) {
    case 'erc4337':
      return MODULE_0_3_0;
    case 'recovery':
      return `${one.module.name} ${one.module.version}: the guardians of the account can replace its owners, after a delay of ${delayInWords(one.module.period)} in which the account can cancel that.`;
    case 'delay':
      return one.delay.isWeak
        ? `Zodiac's Delay modifier ${one.delay.version}, which accepts forged signatures: anyone could act for the account.`
        : `Zodiac's Delay modifier ${one.delay.version}: the addresses that it lists can do anything with the account, after a delay of ${delayInWords(one.delay.cooldown)}.`;
    default:
      return UNKNOWN_MODULE;
  }
}

/** @returns The modules, guards and fallback handler of a Safe, each explained. */
export function powersOf({ modules, guard, moduleGuard, fallbackHandler }: SafeState): readonly SafePower[] {
  const isModule = (address: Address): boolean => isSameAddress(address, MODULE_4337);
  const power = (label: string, address: Address | undefined, meaning: string, isUnknown = true): SafePower[] =>
    address === undefined ? [] : [{ label, address, meaning, isUnknown }];
  return [
    ...modules.flatMap((one) =>
      power(
        'Module',
        getAddress(one.address),
        meaningOf(one),
        one.kind === 'unknown' || (one.kind === 'delay' && one.delay.isWeak),
      ),
    ),
    ...power(
      'Guard',
      guard,
      'It checks each transaction that the owners send directly, and can block all of them. It does not see user operations.',
    ),
    ...power(
      'Guard of modules',
      moduleGuard,
      'It checks what modules do, and can block them, and with them every user operation.',
    ),
    ...power(
      'Fallback handler',
      fallbackHandler,
      fallbackHandler !== undefined && isModule(fallbackHandler)
        ? 'Safe4337Module 0.3.0: it answers the entry point and checks signatures of messages for the account.'
        : 'Keystead does not know this contract. It answers calls for the account, so it decides which signatures of messages count.',
      fallbackHandler === undefined || !isModule(fallbackHandler),
    ),
  ];
}
