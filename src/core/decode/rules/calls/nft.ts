import { address, array, bool, bytes, uint256 } from '../../../eth/abi';
import { type Hex } from '../../../eth/bytes';
import { counted } from '../../../eth/units';
import { type Allow, type Move } from '../../effects/effect';
import { address as addressLine, leftOut, text, undecodedLine } from '../../words/lines';
import { type CallRule, rule } from './rule';

/** Further tokens are only counted. */
const MAX_SHOWN = 20;

const moved = (
  kind: 'erc721' | 'erc1155',
  from: Hex | undefined,
  to: Hex,
  token: Hex,
  id: bigint,
  amount = 1n,
): Move => ({ kind: 'move', from, to, asset: { kind, token, id }, amount, namesOwner: true });

const access = (owner: Hex | undefined, spender: Hex, token: Hex, approved: boolean): Allow => ({
  kind: 'allow',
  of: 'everything',
  owner,
  spender,
  token,
  amount: approved ? 1n : 0n,
});

/** Permission to move everything that the caller holds in a contract: given or revoked. */
const forAll = (selector: string, name: string): CallRule =>
  rule(selector, name, [address, bool], ([operator, approved], { to, from }) => ({
    title: approved ? 'Approve full access' : 'Revoke full access',
    effects: [access(from, operator, to, approved)],
  }));

/** ERC-6909: tokens with IDs in one contract. */
const ERC6909: readonly CallRule[] = [
  rule('095bcdb6', 'transfer', [address, uint256, uint256], ([to, id, amount], call) => ({
    title: 'Transfer tokens',
    effects: [{ ...moved('erc1155', call.from, to, call.to, id, amount), namesOwner: false }],
  })),
  rule('fe99049a', 'transferFrom', [address, address, uint256, uint256], ([from, to, id, amount], call) => ({
    title: 'Transfer tokens',
    effects: [moved('erc1155', from, to, call.to, id, amount)],
  })),
  rule('426a8493', 'approve', [address, uint256, uint256], ([spender, id, amount], { to, from }) => ({
    title: amount === 0n ? 'Revoke an approval' : 'Approve spending',
    effects: [{ kind: 'allow', of: 'nft', owner: from, spender, token: to, id, amount }],
  })),
  forAll('558a7297', 'setOperator'),
];

/**
 * Transfers of ERC-721, ERC-1155 and ERC-6909, and approvals of these and other standards that cover a whole contract.
 */
export const NFT_RULES: readonly CallRule[] = [
  rule('42842e0e', 'safeTransferFrom', [address, address, uint256], ([from, to, id], call) => ({
    title: 'Transfer an NFT',
    effects: [moved('erc721', from, to, call.to, id)],
  })),
  rule('b88d4fde', 'safeTransferFrom', [address, address, uint256, bytes], ([from, to, id, data], call) => ({
    title: 'Transfer an NFT',
    effects: [moved('erc721', from, to, call.to, id)],
    // Passed to the recipient, which is called.
    lines: undecodedLine('Data', data),
  })),
  rule(
    'f242432a',
    'safeTransferFrom',
    [address, address, uint256, uint256, bytes],
    ([from, to, id, amount, data], call) => ({
      title: 'Transfer tokens',
      effects: [moved('erc1155', from, to, call.to, id, amount)],
      lines: undecodedLine('Data', data),
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
        title: `Transfer ${counted(ids.length, 'kind')} of tokens`,
        effects: ids.map((id, index) => moved('erc1155', from, to, call.to, id, amounts[index])),
        isListed: true,
        lines: [
          addressLine('Collection', call.to),
          addressLine('From', from),
          addressLine('Recipient', to),
          ...shown,
          ...leftOut(ids.length - shown.length, 'kind'),
          ...undecodedLine('Data', data),
        ],
      };
    },
  ),
  forAll('a22cb465', 'setApprovalForAll'),
  ...ERC6909,
  // Compound III and Morpho.
  forAll('110496e5', 'allow'),
  forAll('eecea000', 'setAuthorization'),
  // ERC-777.
  rule('959b8c3f', 'authorizeOperator', [address], ([operator], { to, from }) => ({
    title: 'Approve full access',
    effects: [access(from, operator, to, true)],
  })),
];
