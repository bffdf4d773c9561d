import { keccak256 } from 'viem/utils';

import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';

/** A contract through which the guardians of a Safe replace its owners after a delay. */
export type RecoveryModule = {
  readonly name: string;
  readonly version: string;
  readonly address: Hex;
  /** keccak256 of the runtime code. */
  readonly codeHash: Hex;
  /** The delay in seconds. The contract does not tell it, so it is known by address only. */
  readonly period: bigint;
  /** The version in the EIP-712 domain that guardians sign, which is not the version of the release. */
  readonly signingVersion: string;
};

const DAY = 86_400n;
const HOUR = 3_600n;

const NAME = 'Social Recovery Module';

/** Candide's module 0.1.0, which Safe lists (safe-modules-deployments) and abstractionkit uses. */
const version010 = (address: Hex, period: bigint, codeHash: Hex): RecoveryModule => ({
  name: NAME,
  version: '0.1.0',
  address,
  codeHash,
  period,
  signingVersion: '0.0.1',
});

const CODE_14_DAYS = '0xf80b3e2f6c8149da85c8c40738b9d736f538bbf8f7d386c4318d13bd8f61b02e';

/** The modules that Keystead knows, the one it prefers first. A module that is not here is never called recoverable. */
export const RECOVERY_MODULES: readonly RecoveryModule[] = [
  version010('0x4Aa5Bf7D840aC607cb5BD3249e6Af6FC86C04897', 14n * DAY, CODE_14_DAYS),
  version010('0x9BacD92F4687Db306D7ded5d4513a51EA05df25b', 14n * DAY, CODE_14_DAYS),
  version010(
    '0x088f6cfD8BB1dDb1BB069CCb3fc1A98927D233f2',
    7n * DAY,
    '0xd1d497d06956a300c318dd3df28e7cbaf64dc509bf9e8674753c4f69fd50746a',
  ),
  version010(
    '0x38275826E1933303E508433dD5f289315Da2541c',
    3n * DAY,
    '0xdbebd5942589cb48bc55fd0d804e2a825ae485fa4eb771ec030e0ec4c330ae03',
  ),
  // Made for tests. Too short to notice a recovery that someone else began.
  version010(
    '0x949d01d424bE050D09C16025dd007CB59b3A8c66',
    180n,
    '0x1a5e700fbb0533685dc9f9b28fc89bb496d480990e6c292f2abdd3e97485d245',
  ),
];

/** A shorter delay, in seconds, leaves an owner too little time to notice a recovery and cancel it. */
export const LEAST_PERIOD = DAY;

/** @returns A delay in words: "3 days", "3 minutes". */
export function delayInWords(seconds: bigint): string {
  const [unit, noun] = seconds >= DAY ? [DAY, 'day'] : seconds >= HOUR ? [HOUR, 'hour'] : [60n, 'minute'];
  return counted(Number(seconds / unit), noun);
}

/** @returns The module at an address, whose code has not been checked yet; undefined if Keystead does not know it. */
export const recoveryModuleAt = (
  address: Hex,
  modules: readonly RecoveryModule[] = RECOVERY_MODULES,
): RecoveryModule | undefined => modules.find((module) => isSameAddress(module.address, address));

/**
 * Whether an address has the code of the module. An address alone proves nothing on a network whose deployers are not
 * the usual ones.
 *
 * @param code - The runtime code at the module's address, as a node answered it.
 */
export const hasModuleCode = ({ codeHash }: RecoveryModule, code: Hex): boolean => keccak256(code) === codeHash;
