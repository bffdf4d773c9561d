import { type Hex } from '../../eth/bytes';
import { MAX_UINT256 } from '../../eth/units';
import { address, text, tokenAmount } from '../lines';
import { allOf, ENDLESS_SIGNATURE, shortAddress, tokenName } from '../sentences';
import { utcTime } from '../time';
import {
  addressOf,
  contractLine,
  endLine,
  type Struct,
  type TypedRule,
  type TypedScene,
  uintOf,
  WITHOUT_TRANSACTION,
} from './rule';

const transferAmount = (message: Struct, token: Hex | undefined, scene: TypedScene): string => {
  const amount = uintOf(message, 'value');
  if (amount === MAX_UINT256)
    scene.findings.danger('everything', () => {
      const holdings = allOf(tokenName(token, scene), addressOf(message, 'from'), scene.view);
      return `This sends ${holdings} to ${shortAddress(addressOf(message, 'to'))}.`;
    });
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
      text('Amount', transferAmount(message, scene.contract, scene)),
      text('Validity starts', utcTime(uintOf(message, 'validAfter'))),
      endLine('Signature expires', uintOf(message, 'validBefore'), scene, () => ENDLESS_SIGNATURE),
      WITHOUT_TRANSACTION,
    ],
  }),
});

/**
 * ERC-3009: transfers by signature, and cancelling one.
 *
 * @example
 * ```ts
 * EIP3009_RULES.some(({ type }) => type === 'CancelAuthorization(address authorizer,bytes32 nonce)'); // => true
 * ```
 */
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
