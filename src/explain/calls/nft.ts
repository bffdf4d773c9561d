import { type Hex } from '../../eth/bytes';
import { address, array, bool, bytes, uint256 } from '../abi';
import { counted } from '../../eth/units';
import { address as addressLine, byteCount, leftOut, text } from '../lines';
import { type Line } from '../types';
import { type Call, type CallRule, rule } from './rule';

/** More tokens than these are counted. */
const MAX_SHOWN = 20;

const parties = ({ to: collection }: Call, from: Hex, to: Hex): Line[] => [
  addressLine('Collection', collection),
  addressLine('From', from),
  addressLine('Recipient', to),
];

const dataLine = (data: string): Line[] => (data === '' ? [] : [text('Data', `${byteCount(data)}, not understood`)]);

/** ERC-721 and ERC-1155: transfers, and the approval that covers a whole collection. */
export const NFT_RULES: readonly CallRule[] = [
  rule('42842e0e', 'safeTransferFrom', [address, address, uint256], ([from, to, id], call) => ({
    title: 'Move a token',
    lines: [...parties(call, from, to), text('Token id', id.toString())],
  })),
  rule('b88d4fde', 'safeTransferFrom', [address, address, uint256, bytes], ([from, to, id, data], call) => ({
    title: 'Move a token',
    lines: [...parties(call, from, to), text('Token id', id.toString()), ...dataLine(data)],
  })),
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
        ...dataLine(data),
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
        lines: [...parties(call, from, to), ...shown, ...leftOut(ids.length - shown.length, 'kind'), ...dataLine(data)],
      };
    },
  ),
  rule('a22cb465', 'setApprovalForAll', [address, bool], ([operator, approved], { to }, { findings }) => {
    if (approved) findings.danger('approval-for-all');
    return {
      title: approved ? 'Approve everything in a collection' : 'Take back the approval of a collection',
      lines: [addressLine('Collection', to), addressLine('Operator', operator)],
    };
  }),
];
