import { bytes, decode, uint256 } from '../eth/abi';
import { type Hex } from '../eth/bytes';
import { decodeRevert, revertData } from '../erc4337/revert';
import { quotable } from '../decode/words/text';

/** The maximum number of characters of a contract's own words. */
const MAX_WORDS = 200;
/** Reverts can nest without end. */
const MAX_DEPTH = 4;
/** 32 kB, far more than contracts revert with. */
const MAX_WORDS_READ = 1024;

/** Solidity's panic codes (Solidity, "Panic via assert and Error via require"). */
const PANICS: Readonly<Record<number, string>> = {
  0x01: 'an internal check of the contract failed',
  0x11: 'a number in the contract would overflow',
  0x12: 'the contract divides by zero',
  0x21: 'a number is not a value of its enumeration',
  0x22: "the contract's storage is malformed",
  0x31: 'the contract takes an item from an empty list',
  0x32: 'the contract reads beyond the end of a list',
  0x41: 'the contract asks for too much memory',
  0x51: 'the contract calls an internal function that is not set',
};

/** Errors of widely used contracts, by selector: OpenZeppelin 5, Permit2, Uniswap's routers, Solady. */
export const KNOWN_ERRORS: Readonly<Record<string, readonly [signature: string, words: string]>> = {
  e450d38c: ['ERC20InsufficientBalance(address,uint256,uint256)', 'the balance of the token is too low'],
  fb8f41b2: ['ERC20InsufficientAllowance(address,uint256,uint256)', 'the spender is not allowed to spend that much'],
  '96c6fd1e': ['ERC20InvalidSender(address)', 'the token cannot be sent from this address'],
  ec442f05: ['ERC20InvalidReceiver(address)', 'the token cannot be sent to this address'],
  e602df05: ['ERC20InvalidApprover(address)', 'this address cannot allow spending'],
  '94280d62': ['ERC20InvalidSpender(address)', 'this address cannot be allowed to spend'],
  '7e273289': ['ERC721NonexistentToken(uint256)', 'this NFT does not exist'],
  '177e802f': ['ERC721InsufficientApproval(address,uint256)', 'the sender is not allowed to move this NFT'],
  '64283d7b': ['ERC721IncorrectOwner(address,uint256,address)', 'this NFT belongs to another address'],
  '89c62b64': ['ERC721InvalidOwner(address)', 'this address cannot own an NFT'],
  '64a0ae92': ['ERC721InvalidReceiver(address)', 'the recipient cannot receive this NFT'],
  '5b08ba18': ['ERC721InvalidOperator(address)', 'this address cannot be allowed to move NFTs'],
  '03dee4c5': ['ERC1155InsufficientBalance(address,uint256,uint256,uint256)', 'the balance of this NFT is too low'],
  e237d922: ['ERC1155MissingApprovalForAll(address,address)', 'the sender is not allowed to move these NFTs'],
  '57f447ce': ['ERC1155InvalidReceiver(address)', 'the recipient cannot receive these NFTs'],
  '5b059991': ['ERC1155InvalidArrayLength(uint256,uint256)', 'there are not as many amounts as NFTs'],
  '5274afe7': ['SafeERC20FailedOperation(address)', 'the token refused the transfer'],
  '118cdaa7': ['OwnableUnauthorizedAccount(address)', 'only the owner of the contract may do this'],
  e2517d3f: ['AccessControlUnauthorizedAccount(address,bytes32)', 'the caller lacks the role for this'],
  '82b42900': ['Unauthorized()', 'the caller is not allowed to do this'],
  d93c0665: ['EnforcedPause()', 'the contract is paused'],
  d6bda275: ['FailedCall()', 'a call that the contract makes fails'],
  acfdb444: ['ExecutionFailed()', 'a call of the account fails'],
  '9996b315': ['AddressEmptyCode(address)', 'there is no contract at an address that is called'],
  '3ee5aeb5': ['ReentrancyGuardReentrantCall()', 'the contract refuses to be called from within its own call'],
  cf479181: ['InsufficientBalance(uint256,uint256)', 'the balance is too low'],
  f4d678b8: ['InsufficientBalance()', 'the balance is too low'],
  '62791302': ['ERC2612ExpiredSignature(uint256)', 'the signed permission has expired'],
  '4b800e46': ['ERC2612InvalidSigner(address,address)', 'the permission is not signed by the owner of the tokens'],
  d81b2f2e: ['AllowanceExpired(uint256)', 'the allowance has expired'],
  f96fb071: ['InsufficientAllowance(uint256)', 'the spender is not allowed to spend that much'],
  '13be252b': ['InsufficientAllowance()', 'the spender is not allowed to spend that much'],
  '756688fe': ['InvalidNonce()', 'the signed permission was already used'],
  cd21db4f: ['SignatureExpired(uint256)', 'the signature has expired'],
  '815e1d64': ['InvalidSigner()', 'the signature is not by the expected address'],
  '8baa579f': ['InvalidSignature()', 'a signature is invalid'],
  '3728b83d': ['InvalidAmount(uint256)', 'more is asked for than the signature permits'],
  '5bf6f916': ['TransactionDeadlinePassed()', 'the deadline has passed'],
  '849eaf98': ['V2TooLittleReceived()', 'the swap would return less than the minimum'],
  '39d35496': ['V3TooLittleReceived()', 'the swap would return less than the minimum'],
  '8b063d73': ['V4TooLittleReceived(uint256,uint256)', 'the swap would return less than the minimum'],
  '8ab0bc16': ['V2TooMuchRequested()', 'the swap would cost more than the maximum'],
  '739dbe52': ['V3TooMuchRequested()', 'the swap would cost more than the maximum'],
  '6a12f104': ['InsufficientETH()', "there is too little of the network's coin"],
  '675cae38': ['InsufficientToken()', 'there is too little of the token'],
  '90b8ec18': ['TransferFailed()', 'a transfer of tokens fails'],
  '7939f424': ['TransferFromFailed()', 'a transfer of tokens fails'],
  b12d13eb: ['ETHTransferFailed()', "a transfer of the network's coin fails"],
};

const PANIC = '4e487b71';
/** `ExecuteError(uint256 index, bytes error)` of SimpleAccount 0.8, and `ExecutionFailed` of Uniswap's router. */
const AT_STEP = ['5a154675', '2c4029e9'];

const NO_REASON = 'no reason given';

/** The words of a contract or node, which must not pass for ours. */
const quotedWords = (words: string): string => `“${quotable(words, MAX_WORDS)}”`;

function panicWords(digits: string): string | undefined {
  const read = decode([uint256], digits, { words: 1 });
  if (!('values' in read)) return undefined;
  const [code] = read.values;
  return PANICS[Number(code)] ?? `panic 0x${code.toString(16)}`;
}

function nestedWords(digits: string, depth: number): string | undefined {
  const read = decode([uint256, bytes], digits, { words: MAX_WORDS_READ });
  if (!('values' in read) || depth === 0) return undefined;
  const [index, inner] = read.values;
  return `call ${index + 1n}: ${wordsOf(`0x${inner}`, depth - 1)}`;
}

function wordsOf(data: Hex, depth: number): string {
  const selector = data.slice(2, 10);
  if (selector.length < 8) return NO_REASON;
  const digits = data.slice(10);
  const words =
    (selector === PANIC ? panicWords(digits) : undefined) ??
    (AT_STEP.includes(selector) ? nestedWords(digits, depth) : undefined) ??
    KNOWN_ERRORS[selector]?.[1];
  if (words !== undefined) return words;
  const own = decodeRevert(data);
  if (own === undefined) return `error 0x${selector}`;
  return own.trim() === '' ? NO_REASON : quotedWords(own);
}

/** The words of nodes before a contract's own. */
const PREFIX =
  /^(?:VM Exception[^:]*|execution reverted|VM execution error\.?|reverted)(?: with reason string)?[:\s]*/iu;

/**
 * The reason why a call fails, in words. Those of the contract or the node are untrusted: they are truncated, made safe
 * to display and put in quotation marks.
 *
 * @param data - The revert data, or the `data` of a JSON-RPC error. It is not validated.
 * @param message - The node's message, for nodes that return no data.
 */
export function revertReason(data: unknown, message = ''): string {
  const found = revertData(data);
  if (found !== undefined) return wordsOf(found, MAX_DEPTH);
  const words = message.replace(PREFIX, '').trim();
  return words === '' || /^execution failed$/iu.test(words) ? NO_REASON : quotedWords(words);
}
