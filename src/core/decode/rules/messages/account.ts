import { fromHex } from '../../../eth/bytes';
import { messageInPrefixed } from '../../../eth/message';
import { type Call } from '../calls';
import { refundLines, safeCall } from '../calls/safe';
import { address, MAX_QUOTE, quote, text, warnOfTruncation } from '../../words/lines';
import { readMessage } from '../../explain/message';
import { nameOf, shortAddress } from '../../words/sentences';
import { type Line } from '../../explanation';
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
  if (call === undefined)
    scene.findings.danger(
      'malformed-call',
      () => 'This Safe transaction has an unknown operation type. Keystead cannot tell what it will do.',
    );
  return {
    title: 'Approve a Safe transaction',
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

/** A meta transaction: someone else sends it and pays the fee, and the contract treats it as a call from the signer. */
const forwarded = (type: string, callOf: (message: Struct, contract: TypedScene['contract']) => Call[]): TypedRule => ({
  type,
  read: (message, { contract }) => ({
    title: 'Let a relayer make a call for you',
    lines: [address('From', addressOf(message, 'from')), contractLine('Contract', contract)],
    calls: callOf(message, contract),
  }),
});

/** @param deadline - The member for the deadline with a trailing comma; empty for the first forwarders. */
const forwardRequest = (deadline: string): TypedRule =>
  forwarded(
    `ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,${deadline}bytes data)`,
    (message) => [{ to: addressOf(message, 'to'), value: uintOf(message, 'value'), data: digitsOf(message, 'data') }],
  );

/** The lines of a message with the EIP-191 prefix. Without the prefix, the bytes could mean anything. */
function personalLines(message: Struct, { contract, view, findings }: TypedScene): readonly Line[] {
  const bytes = messageInPrefixed(fromHex(`0x${digitsOf(message, 'prefixed')}`));
  if (bytes === undefined) {
    findings.danger('hash-message');
    return [];
  }
  const { lines, content } = readMessage(bytes, { ...view, ...(contract && { signer: contract }) }, findings);
  if (content === undefined) return lines;
  if (content.length > MAX_QUOTE) warnOfTruncation('This message', findings);
  return [...lines, quote('Message', content, 'the data')];
}

/** Signatures that make an account act: Safe transactions, forwarded calls, and delegations (ERC-7710 of MetaMask). */
export const ACCOUNT_RULES: readonly TypedRule[] = [
  { type: safeType('baseGas'), read: safeTransaction },
  // Before Safe 1.0.
  { type: safeType('dataGas'), read: safeTransaction },
  {
    type: 'SafeMessage(bytes message)',
    read: (_message, { contract, findings }) => {
      // The bytes may be a hash.
      findings.danger('hash-message');
      return { title: 'Sign a message as a Safe', lines: [contractLine('Safe', contract)] };
    },
  },
  // ERC-7739: the account accepts the hash of any bytes, with or without the prefix of a message.
  {
    type: 'PersonalSign(bytes prefixed)',
    read: (message, scene) => ({
      title: 'Sign a message as a smart account',
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
    read: (message, { findings, view }) => {
      const caveats = message.caveats as readonly unknown[];
      if (caveats.length === 0)
        findings.danger(
          'account-administration',
          () =>
            `This lets ${shortAddress(addressOf(message, 'delegate'))} do anything with ${nameOf(addressOf(message, 'delegator'), view)}, without limits.`,
        );
      return {
        title: 'Delegate an account',
        lines: [
          address('Account', addressOf(message, 'delegator')),
          address('Delegate', addressOf(message, 'delegate')),
          text('Limits', caveats.length === 0 ? 'none, everything is allowed' : `${caveats.length}, not decoded`),
        ],
      };
    },
  },
];
