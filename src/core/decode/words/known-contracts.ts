import { DELEGATES } from '../../erc4337/delegates';
import { ENTRY_POINTS } from '../../erc4337/entry-points';
import { type Hex } from '../../eth/bytes';
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
  ...Object.fromEntries(
    Object.entries(DELEGATES).map(([version, address]) => [address.toLowerCase(), `Simple7702Account ${version}`]),
  ),
};

/** @returns The name of a contract that many people use, if it is one. */
export const contractName = (address: Hex): string | undefined => entryOf(NAMES, address.toLowerCase());
