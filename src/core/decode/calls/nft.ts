import { type Hex } from '../../eth/bytes';
import { address, array, bool, bytes, uint256 } from '../../eth/abi';
import { counted } from '../../eth/units';
import { address as addressLine, leftOut, text, unreadLine } from '../lines';
import { type Line } from '../types';
import { type Call, type CallRule, type Reading, rule, type Scene } from './rule';

/** More tokens than these are counted. */
const MAX_SHOWN = 20;

const parties = ({ to: collection }: Call, from: Hex, to: Hex): Line[] => [
  addressLine('Collection', collection),
  addressLine('From', from),
  addressLine('Recipient', to),
];

/** @param data - What the recipient is called with. */
const moved = (call: Call, from: Hex, to: Hex, id: bigint, data = ''): Reading => ({
  title: 'Move a token',
  lines: [...parties(call, from, to), text('Token id', id.toString()), ...unreadLine('Data', data)],
});

/** Somebody may move everything in a contract, or no longer. */
function everything(operator: Hex, approved: boolean, { to }: Call, { findings }: Scene): Reading {
  if (approved) findings.danger('approval-for-all');
  return {
    title: approved ? 'Approve everything in a contract' : 'Take back the approval of everything',
    lines: [addressLine('Contract', to), addressLine('Operator', operator)],
  };
}

const forAll = (selector: string, name: string): CallRule =>
  rule(selector, name, [address, bool], ([operator, approved], call, scene) =>
    everything(operator, approved, call, scene),
  );

/** ERC-721 and ERC-1155: transfers; and the approvals, of these and others, that cover everything in a contract. */
export const NFT_RULES: readonly CallRule[] = [
  rule('42842e0e', 'safeTransferFrom', [address, address, uint256], ([from, to, id], call) =>
    moved(call, from, to, id),
  ),
  rule('b88d4fde', 'safeTransferFrom', [address, address, uint256, bytes], ([from, to, id, data], call) =>
    moved(call, from, to, id, data),
  ),
  rule(
    'f242432a',
    'safeTransferFrom',
    [address, address, uint256, uint256, bytes],
    ([from, to, id, amount, data], call) => ({
      title: 'Move tokens',
      lines: [
        ...parties(call, from, to),
        text('Token id', id.toString()),
        text('Amount', amount.toString()),
        ...unreadLine('Data', data),
      ],
    }),
  ),
  rule(
    '2eb2c2d6',
    'safeBatchTransferFrom',
    [address, address, array(uint256), array(uint256), bytes],
    ([from, to, ids, amounts, data], call) => {
      if (ids.length !== amounts.length) return undefined;
      const shown = ids.slice(0, MAX_SHOWN).map((id, index) => text(`Amount of token ${id}`, `${amounts[index]}`));
      return {
        title: `Move ${counted(ids.length, 'kind')} of tokens`,
        lines: [
          ...parties(call, from, to),
          ...shown,
          ...leftOut(ids.length - shown.length, 'kind'),
          ...unreadLine('Data', data),
        ],
      };
    },
  ),
  forAll('a22cb465', 'setApprovalForAll'),
  // ERC-6909, Compound III and Morpho.
  forAll('558a7297', 'setOperator'),
  forAll('110496e5', 'allow'),
  forAll('eecea000', 'setAuthorization'),
  // ERC-777.
  rule('959b8c3f', 'authorizeOperator', [address], ([operator], call, scene) =>
    everything(operator, true, call, scene),
  ),
];
