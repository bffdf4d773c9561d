import { type Hex } from '../../eth/bytes';
import { MAX_UINT256 } from '../../eth/units';
import { address, text, tokenAmount } from '../lines';
import { utcTime } from '../time';
import { addressOf, contractLine, endLine, type TypedRule, type TypedScene, uintOf, WITHOUT_TRANSACTION } from './rule';

const transferAmount = (amount: bigint, token: Hex | undefined, scene: TypedScene): string => {
  if (amount === MAX_UINT256) scene.findings.danger('everything');
  return token === undefined ? amount.toString() : tokenAmount(amount, token, scene);
};

const transfer = (name: string): TypedRule => ({
  type: `${name}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`,
  read: (message, scene) => ({
    title: 'Send tokens by signature',
    lines: [
      contractLine('Token', scene.contract),
      address('From', addressOf(message, 'from')),
      address('Recipient', addressOf(message, 'to')),
      text('Amount', transferAmount(uintOf(message, 'value'), scene.contract, scene)),
      text('Usable from', utcTime(uintOf(message, 'validAfter'))),
      endLine('Usable until', uintOf(message, 'validBefore'), scene),
      WITHOUT_TRANSACTION,
    ],
  }),
});

/** ERC-3009: transfers by signature, and taking one back. */
export const EIP3009_RULES: readonly TypedRule[] = [
  transfer('TransferWithAuthorization'),
  transfer('ReceiveWithAuthorization'),
  {
    type: 'CancelAuthorization(address authorizer,bytes32 nonce)',
    read: (message, { contract }) => ({
      title: 'Take back a transfer by signature',
      lines: [
        contractLine('Token', contract),
        address('Account', addressOf(message, 'authorizer')),
        text('Authorization', String(message.nonce)),
      ],
    }),
  },
];
