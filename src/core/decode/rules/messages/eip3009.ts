import { startLine } from '../../effects/details';
import { address, text } from '../../words/lines';
import { addressOf, contractLine, type TypedRule, uintOf, WITHOUT_TRANSACTION, deadlineLine } from './rule';

const transfer = (name: string): TypedRule => ({
  type: `${name}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`,
  read: (message, scene) => {
    const { contract: token } = scene;
    const [from, to, amount] = [addressOf(message, 'from'), addressOf(message, 'to'), uintOf(message, 'value')];
    const end = uintOf(message, 'validBefore');
    return {
      title: 'Send tokens by signature',
      effects: [
        token === undefined
          ? { kind: 'named', address: to, isRecipient: true }
          : { kind: 'move', from, to, asset: { kind: 'erc20', token }, amount, namesOwner: true },
        { kind: 'signature', end },
      ],
      lines: [
        ...(token === undefined ? [contractLine('Token', token), text('Amount', amount.toString())] : []),
        startLine(uintOf(message, 'validAfter')),
        deadlineLine(end, scene),
        WITHOUT_TRANSACTION,
      ],
      until: end,
    };
  },
});

/** ERC-3009: transfers by signature, and cancelling one. */
export const EIP3009_RULES: readonly TypedRule[] = [
  transfer('TransferWithAuthorization'),
  transfer('ReceiveWithAuthorization'),
  {
    type: 'CancelAuthorization(address authorizer,bytes32 nonce)',
    read: (message, { contract }) => ({
      title: 'Cancel a transfer by signature',
      lines: [
        contractLine('Token', contract),
        address('Account', addressOf(message, 'authorizer')),
        text('Authorization', String(message.nonce)),
      ],
    }),
  },
];
