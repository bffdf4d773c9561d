import { fromHex, type Hex } from '../../../eth/bytes';
import { messageInPrefixed } from '../../../eth/message';
import { type Effect } from '../../effects/effect';
import { type Line } from '../../explanation';
import { address, MAX_QUOTE, noteTruncation, quote, text } from '../../words/lines';
import { readMessage } from '../../words/message';
import { recoveryControl, recoveryLines } from '../calls/recovery';
import { type ContractCall } from '../calls/rule';
import { refund, safeCall } from '../calls/safe';
import { addressOf, contractLine, digitsOf, type Struct, type TypedRule, type TypedScene, uintOf } from './rule';

/** @param baseGas - The member that Safe calls `baseGas`, and called `dataGas` before 1.0. */
const safeTransaction =
  (baseGas: string): TypedRule['read'] =>
  (message, { contract: safe }) => {
    const operation = uintOf(message, 'operation');
    const [to, value, data] = [addressOf(message, 'to'), uintOf(message, 'value'), digitsOf(message, 'data')];
    const call = safeCall(to, value, data, operation, safe);
    const paid = refund(
      {
        gasPrice: uintOf(message, 'gasPrice'),
        gasToken: addressOf(message, 'gasToken'),
        refundReceiver: addressOf(message, 'refundReceiver'),
        safeTxGas: uintOf(message, 'safeTxGas'),
        baseGas: uintOf(message, baseGas),
      },
      safe,
    );
    return {
      title: 'Approve a Safe transaction',
      effects: [
        ...(call === undefined ? [{ kind: 'malformed', what: 'safe-operation' } as const] : []),
        ...paid.effects,
      ],
      isListed: true,
      lines: [contractLine('Safe', safe), text('Nonce', uintOf(message, 'nonce').toString()), ...paid.lines],
      calls: call === undefined ? [] : [call],
    };
  };

const safeType = (baseGas: string): string =>
  `SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 ${baseGas},` +
  'uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)';

/** A meta transaction: someone else sends it and pays the fee, and the contract treats it as a call from the signer. */
const forwarded = (
  type: string,
  callOf: (message: Struct, contract: TypedScene['contract']) => ContractCall[],
): TypedRule => ({
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
    (message) => [
      {
        to: addressOf(message, 'to'),
        from: addressOf(message, 'from'),
        value: uintOf(message, 'value'),
        data: digitsOf(message, 'data'),
      },
    ],
  );

/** The text of a message with the EIP-191 prefix. Without the prefix, the bytes could mean anything. */
function personal(
  message: Struct,
  { contract, view, findings }: TypedScene,
): { effects: readonly Effect[]; lines: readonly Line[] } {
  const bytes = messageInPrefixed(fromHex(`0x${digitsOf(message, 'prefixed')}`));
  if (bytes === undefined) return { effects: [{ kind: 'opaque', what: 'hash' }], lines: [] };
  const { lines, content, effects } = readMessage(bytes, { ...view, ...(contract && { signer: contract }) });
  if (content === undefined) return { effects, lines };
  if (content.length > MAX_QUOTE) noteTruncation('This message', findings);
  return { effects, lines: [...lines, quote('Message', content, 'the data')] };
}

/** Signatures that make an account act: Safe transactions and forwarded calls. */
export const ACCOUNT_RULES: readonly TypedRule[] = [
  { type: safeType('baseGas'), read: safeTransaction('baseGas') },
  // Before Safe 1.0.
  { type: safeType('dataGas'), read: safeTransaction('dataGas') },
  {
    type: 'SafeMessage(bytes message)',
    read: (_message, { contract }) => ({
      title: 'Sign a message as a Safe',
      // The bytes may be a hash.
      effects: [{ kind: 'opaque', what: 'hash' }],
      lines: [contractLine('Safe', contract)],
    }),
  },
  // The recovery module of a Safe: a guardian's signature, which anyone can submit.
  {
    type: 'ExecuteRecovery(address wallet,address[] newOwners,uint256 newThreshold,uint256 nonce)',
    read: (message, { contract }) => {
      const [safe, newOwners] = [addressOf(message, 'wallet'), message.newOwners as readonly Hex[]];
      return {
        title: 'Confirm a recovery as a guardian',
        effects: [recoveryControl(safe, newOwners)],
        lines: [contractLine('Module', contract), ...recoveryLines(safe, newOwners, uintOf(message, 'newThreshold'))],
      };
    },
  },
  // ERC-7739: the account accepts the hash of any bytes, with or without the prefix of a message.
  {
    type: 'PersonalSign(bytes prefixed)',
    read: (message, scene) => {
      const { effects, lines } = personal(message, scene);
      return {
        title: 'Sign a message as a smart account',
        effects,
        lines: [contractLine('Account', scene.contract), ...lines],
      };
    },
  },
  // Meta transactions of tokens and markets (Biconomy's form), and the forwarders of ERC-2771.
  forwarded('MetaTransaction(uint256 nonce,address from,bytes functionSignature)', (message, contract) =>
    contract === undefined
      ? []
      : [{ to: contract, from: addressOf(message, 'from'), value: 0n, data: digitsOf(message, 'functionSignature') }],
  ),
  forwardRequest(''),
  forwardRequest('uint48 deadline,'),
];
