import { concat, encodeFunctionData, getContractAddress, keccak256, numberToHex } from 'viem/utils';

import { ZERO_ADDRESS } from '../eth/address';
import { fromHex, type Hex, lowerCase } from '../eth/bytes';
import { ENTRY_POINTS } from '../erc4337/entry-points';
import { DUMMY_SIGNATURE } from '../erc4337/dummy-signature';
import { type OperationDomain } from '../erc4337/hash';
import { type Deployment, type SmartAccountKind } from '../erc4337/kind';
import { type UserOperation } from '../erc4337/user-operation';
import { decodeCalls, encodeCalls } from './calls';
import {
  CREATE_PROXY_ABI,
  ENABLE_MODULES_ABI,
  MODULE_4337,
  MODULE_SETUP,
  PROXY_FACTORY,
  PROXY_INIT_CODE_HASH,
  SETUP_ABI,
  SINGLETON,
} from './contracts';
import { safeMessageDigest } from './safe-message';
import { ALWAYS, safeOpHash, safeOpOf } from './safe-op';

/** Sets up one owner. The module is both an enabled module and the fallback handler, which answers ERC-1271 calls. */
const initializerFor = ({ owner }: Deployment): Hex =>
  encodeFunctionData({
    abi: SETUP_ABI,
    args: [
      [lowerCase(owner)],
      1n,
      MODULE_SETUP,
      encodeFunctionData({ abi: ENABLE_MODULES_ABI, args: [[MODULE_4337]] }),
      MODULE_4337,
      ZERO_ADDRESS,
      0n,
      ZERO_ADDRESS,
    ],
  });

function initCode(deployment: Deployment): Hex {
  const args = [SINGLETON, initializerFor(deployment), deployment.salt] as const;
  return lowerCase(concat([deployment.factory, encodeFunctionData({ abi: CREATE_PROXY_ABI, args })]));
}

/** SafeProxyFactory's CREATE2 salt is keccak256(keccak256(initializer) ‖ salt nonce). */
const address = (deployment: Deployment): Hex =>
  getContractAddress({
    opcode: 'CREATE2',
    from: deployment.factory,
    salt: keccak256(concat([keccak256(initializerFor(deployment)), numberToHex(deployment.salt, { size: 32 })])),
    bytecodeHash: PROXY_INIT_CODE_HASH,
  });

/** `validAfter` and `validUntil`, 6 bytes each. Zeros mean that the signature does not expire. */
const VALIDITY = '00'.repeat(12);

const operationDigest = (operation: UserOperation, domain: OperationDomain): Uint8Array =>
  fromHex(safeOpHash(safeOpOf(operation, domain, ALWAYS)));

/**
 * Safe 1.4.1, driven by the module for entry point 0.7. It starts with one owner and verifies message signatures
 * (ERC-1271).
 */
export const safe07: SmartAccountKind = {
  title: 'Safe 1.4.1',
  accountName: 'Safe',
  entryPointVersion: '0.7',
  entryPoint: ENTRY_POINTS['0.7'],
  factory: PROXY_FACTORY,
  dummySignature: `0x${VALIDITY}${DUMMY_SIGNATURE.slice(2)}`,
  encodeCalls,
  decodeCalls,
  signingDigest: (_hash, operation, domain) => operationDigest(operation, domain),
  wrapSignature: (signature) => `0x${VALIDITY}${signature.slice(2)}`,
  messageDigest: safeMessageDigest,
  canHaveSeveralOwners: true,
  initCode,
  address,
};
