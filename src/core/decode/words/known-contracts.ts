import { DELEGATES } from '../../erc4337/delegates';
import { ENTRY_POINTS } from '../../erc4337/entry-points';
import { MULTI_SEND_CALL_ONLY } from '../../erc4337/safe/contracts';
import { type Hex } from '../../eth/bytes';
import { RECOVERY_MODULES } from '../../recovery/modules';
import { entryOf } from '../metadata/contract-metadata';

/**
 * Contracts that have the same address on every network, or on the ones where they are known. Nobody else can deploy to
 * these addresses there: they come from deterministic deployments, or from the deployer's own key.
 */
const NAMES: Readonly<Record<string, string>> = {
  '0x000000000022d473030f116ddee9f6b43ac78ba3': 'Permit2',
  '0xca11bde05977b3631167028862be2a173976ca11': 'Multicall3',
  '0x0000000000000068f116a894984e2db1123eb395': 'Seaport 1.6',
  '0x00000000000000adc04c56bf30ac9d3c0aaf14dc': 'Seaport 1.5',
  '0x1111111254eeb25477b68fb85ed929f73a960582': '1inch v5',
  '0x111111125421ca6dc452d289314280a0f8842a65': '1inch v6',
  '0xc92e8bdf79f0507f65a392b0ab4667716bfe0110': 'the CoW Protocol relayer',
  '0x9008d19f58aabd9ed0d60971565aa8510560ab41': 'CoW Protocol',
  '0xba12222222228d8ba445958a75a0704d566bf2c8': 'Balancer v2',
  ...Object.fromEntries(
    Object.entries(ENTRY_POINTS).map(([version, address]) => [address.toLowerCase(), `entry point ${version}`]),
  ),
  ...Object.fromEntries(RECOVERY_MODULES.map(({ name, address }) => [address.toLowerCase(), `the ${name}`])),
  ...Object.fromEntries(
    Object.entries(DELEGATES).map(([version, address]) => [address.toLowerCase(), `Simple7702Account ${version}`]),
  ),
};

/**
 * Contracts through which anybody can make any call, so anybody can take what they hold or may spend: Multicall3, its
 * predecessors, that of Uniswap's interface, and the MultiSendCallOnly contracts of Safe.
 */
const MULTICALLS: readonly string[] = [
  '0xca11bde05977b3631167028862be2a173976ca11',
  '0xf9cda624fbc7e059355ce98a31693d299facd963',
  '0x5ba1e12693dc8f9c48aad8770482f4739beed696',
  '0xeefba1e63905ef1d7acba5a8513c70307c1ce441',
  '0x1f98415757620b543a52e61c46b32eb19261f984',
];

/** Safe's contracts that make the calls of a batch and nothing else; `CallOnly` refuses to run other code. */
const CALL_ONLY_BATCHES: readonly string[] = [
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  MULTI_SEND_CALL_ONLY.toLowerCase(),
];

/**
 * @returns Whether running the code at an address can do no more than the calls in its data, which are ordinary ones.
 */
export const onlyMakesCalls = (address: Hex): boolean => CALL_ONLY_BATCHES.includes(address.toLowerCase());

/** @returns Whether anybody can take what a contract holds, and what it may spend. */
export const isPublicContract = (address: Hex): boolean =>
  MULTICALLS.includes(address.toLowerCase()) || onlyMakesCalls(address);

/** The contracts that many people use, in lower case. */
export const knownContracts = (): readonly string[] => Object.keys(NAMES);

/** @returns The name of a contract that many people use, if it is one. */
export const contractName = (address: Hex): string | undefined => entryOf(NAMES, address.toLowerCase());
