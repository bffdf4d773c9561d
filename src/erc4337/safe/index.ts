import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { create2Address } from '../../eth/address';
import { concatBytes, fromHex, type Hex } from '../../eth/bytes';
import { addressItem, bytes32Item, bytesItem, encodeCall, listItem, uintItem, wordOf } from '../abi';
import { contractDigest, hashOf, textHash } from '../eip712';
import { ENTRY_POINTS } from '../entry-points';
import { DUMMY_SIGNATURE } from '../dummy-signature';
import { firstFields, type OperationPlace } from '../hash';
import { type Deployment, type SmartAccountKind } from '../kind';
import { type UserOperation } from '../user-operation';
import { decodeCalls, encodeCalls } from './calls';
import { MODULE_4337, MODULE_SETUP, PROXY_FACTORY, PROXY_INIT_CODE_HASH, SINGLETON } from './contracts';

/** `createProxyWithNonce(address,bytes,uint256)` of SafeProxyFactory. */
const CREATE_PROXY = '0x1688f0b9';
/** `setup(address[],uint256,address,bytes,address,address,uint256,address)` of Safe. */
const SETUP = '0xb63e800d';
/** `enableModules(address[])` of SafeModuleSetup. */
const ENABLE_MODULES = '0x8d0dc49f';

const NOBODY = addressItem('0x0');

/** One owner; the module is both: what may execute, and what answers calls that the Safe does not know (ERC-1271). */
const initializerFor = ({ owner }: Deployment): Uint8Array =>
  fromHex(
    encodeCall(SETUP, [
      listItem([addressItem(owner)]),
      uintItem(1n),
      addressItem(MODULE_SETUP),
      bytesItem(fromHex(encodeCall(ENABLE_MODULES, [listItem([addressItem(MODULE_4337)])]))),
      addressItem(MODULE_4337),
      NOBODY,
      uintItem(0n),
      NOBODY,
    ]),
  );

const initCode = (deployment: Deployment): Hex => {
  const { factory, salt } = deployment;
  const call = encodeCall(CREATE_PROXY, [
    addressItem(SINGLETON),
    bytesItem(initializerFor(deployment)),
    uintItem(salt),
  ]);
  return `${factory}${call.slice(2)}`.toLowerCase() as Hex;
};

/** SafeProxyFactory's CREATE2 salt is keccak256(keccak256(initializer) ‖ salt nonce). */
function address(deployment: Deployment): Hex {
  const create2Salt = keccak256(concatBytes(keccak256(initializerFor(deployment)), wordOf(deployment.salt)));
  return create2Address(deployment.factory, create2Salt, fromHex(PROXY_INIT_CODE_HASH));
}

/**
 * `SAFE_OP_TYPEHASH` of Safe4337Module 0.3.0: the hash of `SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint128
 * verificationGasLimit,uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,uint128 maxFeePerGas,bytes
 * paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)`, on one line.
 */
const SAFE_OP_TYPE_HASH = 0xc03dfc11d8b10bf9cf703d558958c8c42777f785d998c62060d85a4f0ef6ea7fn;

/** `validAfter` and `validUntil`, 6 bytes each: the signature holds at any time. */
const VALIDITY = '00'.repeat(12);
const ALWAYS = uintItem(0n);

/** What the module has the owners sign (Safe4337Module 0.3.0): every field of the operation, in its own domain. */
const operationDigest = (op: UserOperation, { chainId, entryPoint }: OperationPlace): Uint8Array =>
  contractDigest(
    [
      uintItem(SAFE_OP_TYPE_HASH),
      ...firstFields(op),
      uintItem(op.verificationGasLimit),
      uintItem(op.callGasLimit),
      uintItem(op.preVerificationGas),
      uintItem(op.maxPriorityFeePerGas),
      uintItem(op.maxFeePerGas),
      hashOf(op.paymasterAndData),
      ALWAYS,
      ALWAYS,
      addressItem(entryPoint),
    ],
    { chainId, verifyingContract: MODULE_4337 },
  );

/** Safe 1.4.1 with one owner, run by the module for entry point 0.7. It verifies messages (ERC-1271). */
export const safe07: SmartAccountKind = {
  title: 'Safe 1.4.1',
  walletName: 'Safe',
  entryPointVersion: '0.7',
  entryPoint: ENTRY_POINTS['0.7'],
  factory: PROXY_FACTORY,
  dummySignature: `0x${VALIDITY}${DUMMY_SIGNATURE.slice(2)}`,
  encodeCalls,
  decodeCalls,
  signingDigest: (_hash, operation, place) => operationDigest(operation, place),
  wrapSignature: (signature) => `0x${VALIDITY}${signature.slice(2)}`,
  // The hash is wrapped for this very Safe, so that no other one of the same owner takes the signature.
  messageDigest: (hash, account, chainId) =>
    contractDigest([textHash('SafeMessage(bytes message)'), bytes32Item(keccak256(hash))], {
      chainId,
      verifyingContract: account,
    }),
  initCode,
  address,
};
