import { MAX_UINT256 } from '../../../eth/units';
import { address, text, tokenAmount } from '../../words/lines';
import { allOf, amountOf, ENDLESS_SIGNATURE, nameOf, tokenName } from '../../words/sentences';
import { utcTime } from '../../words/time';
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

/** Collects the transfer, flags one of everything, and says it in one sentence. */
function summaryOf(message: Struct, scene: TypedScene): string {
  const { contract: token, findings, view } = scene;
  const [from, to, amount] = [addressOf(message, 'from'), addressOf(message, 'to'), uintOf(message, 'value')];
  if (token !== undefined) findings.effects.move(view.signer, { from, to }, { kind: 'erc20', token }, amount);
  const all = () => allOf(tokenName(token, scene), from, view);
  const isAll = amount === MAX_UINT256;
  if (isAll) findings.danger('everything', () => `This sends ${all()} to ${nameOf(to, view)}.`);
  const what = isAll || token === undefined ? tokenName(token, scene) : amountOf(amount, token, scene);
  return `Send ${isAll ? all() : what} to ${nameOf(to, view)}`;
}

const amountText = (amount: bigint, scene: TypedScene): string =>
  scene.contract === undefined ? amount.toString() : tokenAmount(amount, scene.contract, scene);

const transfer = (name: string): TypedRule => ({
  type: `${name}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`,
  read: (message, scene) => ({
    title: 'Send tokens by signature',
    summary: summaryOf(message, scene),
    lines: [
      contractLine('Token', scene.contract),
      address('From', addressOf(message, 'from')),
      address('Recipient', addressOf(message, 'to')),
      text('Amount', amountText(uintOf(message, 'value'), scene)),
      text('Validity starts', utcTime(uintOf(message, 'validAfter'))),
      endLine('Signature expires', uintOf(message, 'validBefore'), scene, () => ENDLESS_SIGNATURE),
      WITHOUT_TRANSACTION,
    ],
  }),
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
