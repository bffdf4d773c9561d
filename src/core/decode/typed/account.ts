import { fromHex } from '../../eth/bytes';
import { messageInPrefixed } from '../../eth/message';
import { type Call } from '../calls';
import { refundLines, safeCall } from '../calls/safe';
import { address, MAX_QUOTE, quote, text, warnOfCut } from '../lines';
import { readMessage } from '../message';
import { type Line } from '../types';
import {
  addressOf,
  contractLine,
  digitsOf,
  type Struct,
  type TypedReading,
  type TypedRule,
  type TypedScene,
  uintOf,
} from './rule';

function safeTransaction(message: Struct, scene: TypedScene): TypedReading {
  const operation = uintOf(message, 'operation');
  const call = safeCall(addressOf(message, 'to'), uintOf(message, 'value'), digitsOf(message, 'data'), operation);
  // The contract refuses an operation that does not exist; what it would do is not known.
  if (call === undefined) scene.findings.danger('malformed-call');
  return {
    title: 'Approve a transaction of a Safe',
    lines: [
      contractLine('Safe', scene.contract),
      text('Nonce', uintOf(message, 'nonce').toString()),
      ...refundLines(uintOf(message, 'gasPrice'), addressOf(message, 'gasToken'), addressOf(message, 'refundReceiver')),
    ],
    calls: call === undefined ? [] : [call],
  };
}

const safeType = (baseGas: string): string =>
  `SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 ${baseGas},` +
  'uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)';

/** A call that somebody else sends, paid by them: the contract takes it as if the signer had sent it. */
const forwarded = (type: string, callOf: (message: Struct, contract: TypedScene['contract']) => Call[]): TypedRule => ({
  type,
  read: (message, { contract }) => ({
    title: 'Let somebody send a call for you',
    lines: [address('From', addressOf(message, 'from')), contractLine('Contract', contract)],
    calls: callOf(message, contract),
  }),
});

/** @param deadline - The member for it, with a comma behind; none in the first forwarders. */
const forwardRequest = (deadline: string): TypedRule =>
  forwarded(
    `ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,${deadline}bytes data)`,
    (message) => [{ to: addressOf(message, 'to'), value: uintOf(message, 'value'), data: digitsOf(message, 'data') }],
  );

/** The lines of a message with its prefix (EIP-191); without it, the bytes may stand for anything. */
function personalLines(message: Struct, { contract, view, findings }: TypedScene): readonly Line[] {
  const bytes = messageInPrefixed(fromHex(`0x${digitsOf(message, 'prefixed')}`));
  if (bytes === undefined) {
    findings.danger('hash-message');
    return [];
  }
  const { lines, content } = readMessage(bytes, { ...view, ...(contract && { signer: contract }) }, findings);
  if (content === undefined) return lines;
  if (content.length > MAX_QUOTE) warnOfCut('This message', findings);
  return [...lines, quote('Message', content, 'the data')];
}

/** Signatures that order an account about: Safe, calls that are sent on, and delegations (ERC-7710 of MetaMask). */
export const ACCOUNT_RULES: readonly TypedRule[] = [
  { type: safeType('baseGas'), read: safeTransaction },
  // Before Safe 1.0.
  { type: safeType('dataGas'), read: safeTransaction },
  {
    type: 'SafeMessage(bytes message)',
    read: (_message, { contract, findings }) => {
      // The bytes may be the hash of anything.
      findings.danger('hash-message');
      return { title: 'Sign a message as a Safe', lines: [contractLine('Safe', contract)] };
    },
  },
  // ERC-7739: the account takes the hash of any bytes, of a message with its prefix or not.
  {
    type: 'PersonalSign(bytes prefixed)',
    read: (message, scene) => ({
      title: 'Have a smart account sign a message',
      lines: [contractLine('Account', scene.contract), ...personalLines(message, scene)],
    }),
  },
  // Meta transactions of tokens and markets (Biconomy's form), and the forwarders of ERC-2771.
  forwarded('MetaTransaction(uint256 nonce,address from,bytes functionSignature)', (message, contract) =>
    contract === undefined ? [] : [{ to: contract, value: 0n, data: digitsOf(message, 'functionSignature') }],
  ),
  forwardRequest(''),
  forwardRequest('uint48 deadline,'),
  {
    type:
      'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)' +
      'Caveat(address enforcer,bytes terms)',
    read: (message, { findings }) => {
      const caveats = message.caveats as readonly unknown[];
      if (caveats.length === 0) findings.danger('account-administration');
      return {
        title: 'Let somebody act for an account',
        lines: [
          address('Account', addressOf(message, 'delegator')),
          address('Who may act', addressOf(message, 'delegate')),
          text('Limits', caveats.length === 0 ? 'none: everything is allowed' : `${caveats.length}, not understood`),
        ],
      };
    },
  },
];
