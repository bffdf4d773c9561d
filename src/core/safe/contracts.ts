import { parseAbi, parseAbiParameters } from 'viem/utils';
import { type Hex } from '../eth/bytes';

/**
 * Safe 1.4.1 and its module for ERC-4337, version 0.3.0, at their canonical addresses (safe-deployments,
 * safe-modules-deployments). A test deploys the published bytecode and checks the addresses.
 */
export const SINGLETON: Hex = '0x41675C099F32341bf84BFc5382aF534df5C7461a';
export const PROXY_FACTORY: Hex = '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67';
export const MULTI_SEND_CALL_ONLY: Hex = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2';
/** Works only with the canonical entry point 0.7. */
export const MODULE_4337: Hex = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226';
export const MODULE_SETUP: Hex = '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47';

/** Makes the contracts that verify passkeys' signatures (SafeWebAuthnSignerFactory 0.2.0). */
export const SIGNER_FACTORY: Hex = '0xF7488fFbe67327ac9f37D5F722d83Fc900852Fbf';

/** Contracts that verify signatures of P-256: FCLP256Verifier 0.2.0 and 0.2.1, and DaimoP256Verifier. */
export const P256_VERIFIERS = [
  '0x445a0683e494ea0c5AF3E83c5159fBE47Cf9e765',
  '0xA86e0054C51E4894D88762a017ECc5E5235f5DBA',
  '0xc2b78104907F722DABAc4C69f826a522B2754De4',
] as const satisfies readonly Hex[];

/** keccak256(creation code of SafeProxy ‖ singleton): the only form in which CREATE2 uses the code. */
export const PROXY_INIT_CODE_HASH: Hex = '0x76733d705f71b79841c0ee960a0ca880f779cde7ef446c989e6d23efc0a4adfb';

/** keccak256 of SafeProxy's runtime code, which is the same for every Safe 1.4.1. */
export const PROXY_CODE_HASH: Hex = '0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c';

/** The storage slot of a Safe's guard: keccak256("guard_manager.guard.address"). */
export const GUARD_SLOT: Hex = '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8';
/** The storage slot of the contract that answers calls of functions that a Safe does not have. */
export const HANDLER_SLOT: Hex = '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5';

/** The slot of the guard of a Safe's modules, from 1.5 on: keccak256("module_manager.module_guard.address"). */
export const MODULE_GUARD_SLOT: Hex = '0xb104e0b93118902c651344349b610029d694cfdec91c589c91ebafbcd0289947';

/** `executeUserOp` of Safe4337Module: `operation` is Safe's `Enum.Operation`. */
export const EXECUTE_USER_OP_ABI = parseAbi([
  'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
]);

/** `multiSend` of MultiSendCallOnly. */
export const MULTI_SEND_ABI = parseAbi(['function multiSend(bytes transactions) payable']);

/** `createProxyWithNonce` of SafeProxyFactory. */
export const CREATE_PROXY_ABI = parseAbi([
  'function createProxyWithNonce(address _singleton, bytes initializer, uint256 saltNonce) returns (address proxy)',
]);

/** `setup` of Safe. */
export const SETUP_ABI = parseAbi([
  'function setup(address[] _owners, uint256 _threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
]);

/** `enableModules` of SafeModuleSetup. */
export const ENABLE_MODULES_ABI = parseAbi(['function enableModules(address[] modules)']);

/**
 * The EIP-712 struct that the owners sign for the module (Safe4337Module 0.3.0). It covers every field of the
 * operation.
 */
export const SAFE_OP_TYPES = {
  SafeOp: parseAbiParameters(
    'address safe, uint256 nonce, bytes initCode, bytes callData, uint128 verificationGasLimit, uint128 callGasLimit, uint256 preVerificationGas, uint128 maxPriorityFeePerGas, uint128 maxFeePerGas, bytes paymasterAndData, uint48 validAfter, uint48 validUntil, address entryPoint',
  ),
} as const;

/** The EIP-712 struct that a Safe's owners sign for a message. It binds the message hash to this Safe. */
export const SAFE_MESSAGE_TYPES = { SafeMessage: [{ name: 'message', type: 'bytes' }] } as const;
