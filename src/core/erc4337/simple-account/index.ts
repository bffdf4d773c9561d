import { concat, encodeAbiParameters, encodeFunctionData, getContractAddress, numberToHex } from 'viem/utils';

import { InvalidParamsError } from '../../errors';
import { decode, UNBOUNDED } from '../../eth/abi';
import { type Hex, lowerCase } from '../../eth/bytes';
import { personalMessageDigest } from '../../eth/message';
import { type AccountVersion } from '../entry-points';
import { toCalls } from '../calls';
import { DUMMY_SIGNATURE } from '../dummy-signature';
import { type Deployment, type SmartAccountKind } from '../kind';
import { type Call, type Intent } from '../user-operation';
import { BATCH_06, BATCH_07, BATCH_08, type Batch, CALL_TYPES, type CallView, toView } from './batches';
import { CREATE_ACCOUNT_ABI, EXECUTE_ABI, INITIALIZE_ABI, PROXY_CONSTRUCTOR } from './contracts';
import { PROXY_06, PROXY_07, PROXY_08 } from './proxy-code';

/** `execute(address,uint256,bytes)`. */
const EXECUTE = '0xb61d27f6';

/** The length of `0x` and a selector. */
const SELECTOR_END = 10;

const encodeExecute = ({ to, value, data }: Call): Hex =>
  encodeFunctionData({ abi: EXECUTE_ABI, args: [to, value, data] });

function encodeCalls(intents: readonly Intent[], batch: Batch): Hex {
  const [first, ...others] = toCalls(intents, 'SimpleAccount');
  if (first === undefined) throw new InvalidParamsError('intents', 'must hold at least one intent');
  return others.length === 0 ? encodeExecute(first) : batch.encode([first, ...others]);
}

function readCalls(selector: string, args: string, batch: Batch): readonly CallView[] | undefined {
  if (selector === batch.selector) return batch.decode(args);
  const decoded = selector === EXECUTE ? decode(CALL_TYPES, args, UNBOUNDED) : undefined;
  return decoded !== undefined && 'values' in decoded ? [toView(decoded.values)] : undefined;
}

function encodedLike(selector: string, calls: readonly Call[], batch: Batch): Hex {
  const [first] = calls;
  return selector === EXECUTE && first !== undefined ? encodeExecute(first) : batch.encode(calls);
}

/** Accepts only call data that encodes back to the same bytes, so no byte is ignored. */
function decodeCalls(callData: Hex, batch: Batch): Call[] | undefined {
  const lower = lowerCase(callData);
  const selector = lower.slice(0, SELECTOR_END);
  const views = readCalls(selector, lower.slice(SELECTOR_END), batch);
  // Overlapping parts could expand to far more data than the input. A genuine encoding never does.
  if (views === undefined || views.reduce((sum, { data }) => sum + data.length, 0) > lower.length) return undefined;
  const calls = views.map(({ data, ...call }): Call => ({ ...call, data: `0x${data}` }));
  return encodedLike(selector, calls, batch) === lower ? calls : undefined;
}

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
  encodeCalls: (intents) => encodeCalls(intents, batch),
  decodeCalls: (callData) => decodeCalls(callData, batch),
  signingDigest,
  wrapSignature: (signature) => signature,
  initCode,
  address: (deployment) => address(deployment, proxyCode),
});

/**
 * Signs the hash as a message of 32 bytes (EIP-191).
 *
 * @example
 * ```ts
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const deployment = { factory: simpleAccount06.factory, owner, salt: 0n } as const;
 * simpleAccount06.address(deployment); // => '0x7454E46C3C9e2F4F3d47B3B21f1A9AAf8e84aeD4'
 * const call = { to: owner, value: 1n, data: '0x' } as const;
 * simpleAccount06.encodeCalls([call]).slice(0, 10); // => '0xb61d27f6'
 * simpleAccount06.encodeCalls([call, call]); // throws intents[0].value:
 * ```
 */
export const simpleAccount06 = simpleAccount({
  version: '0.6',
  factory: '0x9406Cc6185a346906296840746125a0E44976454',
  batch: BATCH_06,
  proxyCode: PROXY_06,
  signingDigest: personalMessageDigest,
});

/**
 * Signs the hash as a message of 32 bytes (EIP-191).
 *
 * @example
 * ```ts
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const deployment = { factory: simpleAccount07.factory, owner, salt: 0n } as const;
 * simpleAccount07.address(deployment); // => '0x47eca140fB9e5a204e5c1A63f261f21BE702Fa89'
 * const call = { to: owner, value: 1n, data: '0x' } as const;
 * simpleAccount07.encodeCalls([call, call]).slice(0, 10); // => '0x47e1da2a'
 * ```
 */
export const simpleAccount07 = simpleAccount({
  version: '0.7',
  factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  batch: BATCH_07,
  proxyCode: PROXY_07,
  signingDigest: personalMessageDigest,
});

/**
 * Signs the hash itself, which is an EIP-712 hash.
 *
 * @example
 * ```ts
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const deployment = { factory: simpleAccount08.factory, owner, salt: 0n } as const;
 * simpleAccount08.address(deployment); // => '0xADD14c5b7e9bDB92cCf252651be206C7bf18D823'
 * const call = { to: owner, value: 1n, data: '0x' } as const;
 * simpleAccount08.encodeCalls([call, call]).slice(0, 10); // => '0x34fcd5be'
 * ```
 */
export const simpleAccount08 = simpleAccount({
  version: '0.8',
  factory: '0x13E9ed32155810FDbd067D4522C492D6f68E5944',
  batch: BATCH_08,
  proxyCode: PROXY_08,
  signingDigest: (userOperationHash) => userOperationHash,
});
