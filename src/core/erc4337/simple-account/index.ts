import { concat, encodeAbiParameters, encodeFunctionData, getContractAddress, numberToHex } from 'viem/utils';

import { type Hex, lowerCase } from '../../eth/bytes';
import { personalMessageDigest } from '../../eth/message';
import { type AccountVersion } from '../entry-points';
import { DUMMY_SIGNATURE } from '../dummy-signature';
import { type Deployment, type SmartAccountKind } from '../kind';
import { BATCH_06, BATCH_07, BATCH_08, type Batch } from './batches';
import { CREATE_ACCOUNT_ABI, INITIALIZE_ABI, PROXY_CONSTRUCTOR } from './contracts';
import { decodeCalls, encodeCalls } from './execute';
import { PROXY_06, PROXY_07, PROXY_08 } from './proxy-code';

function initCode({ factory, owner, salt }: Deployment): Hex {
  const call = encodeFunctionData({ abi: CREATE_ACCOUNT_ABI, args: [lowerCase(owner), salt] });
  return lowerCase(concat([factory, call]));
}

function address({ factory, owner, salt }: Deployment, proxyCode: Hex): Hex {
  // The implementation is the first contract that the factory created, in its constructor.
  const implementation = getContractAddress({ from: factory, nonce: 1n });
  const initializer = encodeFunctionData({ abi: INITIALIZE_ABI, args: [lowerCase(owner)] });
  return getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: numberToHex(salt, { size: 32 }),
    bytecode: concat([proxyCode, encodeAbiParameters(PROXY_CONSTRUCTOR, [implementation, initializer])]),
  });
}

type Release = {
  readonly version: AccountVersion;
  readonly factory: Hex;
  readonly batch: Batch;
  readonly proxyCode: Hex;
  readonly signingDigest: SmartAccountKind['signingDigest'];
};

/** SimpleAccount of eth-infinitism/account-abstraction: one owner, an ERC-1967 proxy, no ERC-1271. */
const simpleAccount = ({ version, factory, batch, proxyCode, signingDigest }: Release): SmartAccountKind => ({
  title: `SimpleAccount ${version}`,
  accountName: 'smart account',
  entryPointVersion: version,
  factory,
  dummySignature: DUMMY_SIGNATURE,
  encodeCalls: (intents) => encodeCalls(intents, batch, 'a SimpleAccount'),
  decodeCalls: (callData) => decodeCalls(callData, batch),
  signingDigest,
  wrapSignature: (signature) => signature,
  initCode,
  address: (deployment) => address(deployment, proxyCode),
});

/** Signs the hash as a message of 32 bytes (EIP-191). */
export const simpleAccount06 = simpleAccount({
  version: '0.6',
  factory: '0x9406Cc6185a346906296840746125a0E44976454',
  batch: BATCH_06,
  proxyCode: PROXY_06,
  signingDigest: personalMessageDigest,
});

/** Signs the hash as a message of 32 bytes (EIP-191). */
export const simpleAccount07 = simpleAccount({
  version: '0.7',
  factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  batch: BATCH_07,
  proxyCode: PROXY_07,
  signingDigest: personalMessageDigest,
});

/** What accounts have from version 0.8 on: they sign the hash itself, which is an EIP-712 hash. */
const FROM_08 = {
  batch: BATCH_08,
  proxyCode: PROXY_08,
  signingDigest: (userOperationHash: Uint8Array) => userOperationHash,
};

export const simpleAccount08 = simpleAccount({
  ...FROM_08,
  version: '0.8',
  factory: '0x13E9ed32155810FDbd067D4522C492D6f68E5944',
});

export const simpleAccount09 = simpleAccount({
  ...FROM_08,
  version: '0.9',
  factory: '0xf4A7018FdBF22804526eC4b77DcE4f9b0D27a395',
});
