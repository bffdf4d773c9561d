import {
  concat,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  numberToHex,
  padHex,
  parseAbi,
  slice,
} from 'viem/utils';

import { isSameAddress } from '../../eth/address';
import { type Hex, lowerCase } from '../../eth/bytes';
import { type Call } from '../../erc4337/user-operation';
import { P256_VERIFIERS, SIGNER_FACTORY } from '../contracts';
import { type PasskeyPoint } from './webauthn';

/** A factory of contracts that verify a passkey's signatures for a Safe (SafeWebAuthnSignerFactory). */
export type SignerFactory = {
  readonly version: string;
  readonly address: Hex;
  /** keccak256 of the runtime code. */
  readonly codeHash: Hex;
  /** The offset of the signers' creation code in the runtime code, in bytes. */
  readonly proxyCode: { readonly start: number; readonly end: number };
};

/** The factories that Keystead knows, the preferred one first. Another version is one more row. */
export const SIGNER_FACTORIES: readonly SignerFactory[] = [
  {
    version: '0.2.0',
    address: SIGNER_FACTORY,
    codeHash: '0xbe9db61b4ee533cb4b1136ef244141db4ca3b7867b44d154db9faeb22f39d7bb',
    proxyCode: { start: 1803, end: 2297 },
  },
];

/** A contract that verifies signatures of P-256 where the network has no precompile, or that fails (RIP-7212). */
export type FallbackVerifier = { readonly name: string; readonly address: Hex; readonly codeHash: Hex };

/** The verifiers that Keystead knows, the cheapest first. */
export const FALLBACK_VERIFIERS: readonly FallbackVerifier[] = [
  {
    name: 'FCLP256Verifier 0.2.0',
    address: P256_VERIFIERS[0],
    codeHash: '0x0d23c6a31df5b9c5358b2899ac8b0b7f06560804f53ccb13852ed7b25117a1d8',
  },
  {
    name: 'FCLP256Verifier 0.2.1',
    address: P256_VERIFIERS[1],
    codeHash: '0xa493dea44e0b8e3b88da6da9fe4447abeefef94ab58ae0b2e001504a38203e80',
  },
  {
    name: 'DaimoP256Verifier',
    address: P256_VERIFIERS[2],
    codeHash: '0x3cd725b6ba67b40b7979190c41a015e82cf21e098eb61832ba623f8538bab7fc',
  },
];

/** The precompile of RIP-7212 and EIP-7951. */
export const P256_PRECOMPILE: Hex = '0x0000000000000000000000000000000000000100';

/** The parameters that determine a signer. All of it is part of the signer's address. */
export type PasskeySigner = {
  readonly factory: Hex;
  readonly point: PasskeyPoint;
  /** `uint16 precompile ‖ address`, 22 bytes. */
  readonly verifiers: Hex;
};

/**
 * @param fallback - Asked if the precompile does not confirm a signature.
 * @returns The `verifiers` of a signer. The precompile comes first wherever the network has it.
 */
export const verifiersOf = (hasPrecompile: boolean, fallback: Hex | undefined): Hex =>
  concat([hasPrecompile ? '0x0100' : '0x0000', padHex(lowerCase(fallback ?? '0x'), { size: 20 })]);

/** All `verifiers` with which Keystead makes signers. */
export const KNOWN_VERIFIERS: readonly Hex[] = [undefined, ...FALLBACK_VERIFIERS].flatMap((fallback) => [
  verifiersOf(true, fallback?.address),
  ...(fallback === undefined ? [] : [verifiersOf(false, fallback.address)]),
]);

const configurationOf = ({ point: { x, y }, verifiers }: PasskeySigner): Hex =>
  concat([numberToHex(x, { size: 32 }), numberToHex(y, { size: 32 }), padHex(verifiers, { size: 32 })]);

/** @returns Whether a contract at an address has the code that Keystead knows. */
export const hasKnownCode = ({ codeHash }: { readonly codeHash: Hex }, code: Hex): boolean =>
  keccak256(code) === codeHash;

/**
 * The address of a passkey's signer, computed from the factory's code, so that no node can name another.
 *
 * @param code - The factory's runtime code. It contains the creation code of its signers.
 * @throws {RangeError} If it is not the code of a factory that Keystead knows.
 */
export function signerAddress(signer: PasskeySigner, code: Hex): Hex {
  const factory = SIGNER_FACTORIES.find(({ address }) => isSameAddress(address, signer.factory));
  if (factory === undefined || !hasKnownCode(factory, code))
    throw new RangeError('factory: must be one that Keystead knows, with its code');
  // The factory's constructor creates the code that all its signers run.
  const singleton = getContractAddress({ from: factory.address, nonce: 1n });
  const { start, end } = factory.proxyCode;
  return getContractAddress({
    opcode: 'CREATE2',
    from: factory.address,
    salt: `0x${'00'.repeat(32)}`,
    bytecode: concat([slice(code, start, end), padHex(lowerCase(singleton), { size: 32 }), configurationOf(signer)]),
  });
}

const CREATE_SIGNER_ABI = parseAbi([
  'function createSigner(uint256 x, uint256 y, uint176 verifiers) returns (address signer)',
]);

/** @returns The call that creates a signer. Repeating it changes nothing. */
export const createSignerCall = ({ factory, point: { x, y }, verifiers }: PasskeySigner): Call => ({
  to: lowerCase(factory),
  value: 0n,
  data: encodeFunctionData({ abi: CREATE_SIGNER_ABI, args: [x, y, BigInt(verifiers)] }),
});
