import { isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { address, array, bool, bytes, uint256 } from '../../../eth/abi';
import { counted } from '../../../eth/units';
import { address as addressLine, leftOut, text, undecodedLine } from '../../words/lines';
import { approvalForAll, nameOf, withMore } from '../../words/sentences';
import { type Line } from '../../explanation';
import { type Call, type CallRule, type Reading, rule, type Scene } from './rule';

/** Further tokens are only counted. */
const MAX_SHOWN = 20;

const parties = ({ to: collection }: Call, from: Hex, to: Hex): Line[] => [
  addressLine('Collection', collection),
  addressLine('From', from),
  addressLine('Recipient', to),
];

/** Collects the NFTs of one kind that move, and says it in one sentence. */
function moveSummary(
  { kind, id, amount }: { kind: 'erc721' | 'erc1155'; id: bigint; amount: bigint },
  { from, to }: { from: Hex; to: Hex },
  { to: token }: Call,
  { findings, view }: Scene,
): string {
  findings.effects.move(view.signer, { from, to }, { kind, token, id }, amount);
  const what = `${kind === 'erc721' ? 'NFT' : amount} #${id} of ${nameOf(token, view)}`;
  if (isSameAddress(from, view.signer)) return `Send ${what} to ${nameOf(to, view)}`;
  return `Move ${what} from ${nameOf(from, view)} to ${nameOf(to, view)}`;
}

/** @param data - Passed to the recipient, which is called. */
const transferred = (call: Call, scene: Scene, from: Hex, to: Hex, id: bigint, data = ''): Reading => ({
  title: 'Transfer an NFT',
  summary: moveSummary({ kind: 'erc721', id, amount: 1n }, { from, to }, call, scene),
  lines: [...parties(call, from, to), text('Token ID', id.toString()), ...undecodedLine('Data', data)],
});

/** Permission to move everything that the caller holds in a contract: given or revoked. */
function fullAccess(operator: Hex, approved: boolean, { to, from }: Call, scene: Scene): Reading {
  const { findings, view } = scene;
  const [who, what] = [nameOf(operator, view), nameOf(to, view)];
  if (approved) {
    findings.danger('approval-for-all', () => approvalForAll(operator, to, from, scene));
    findings.effects.allow(view.signer, from, { kind: 'everything', token: to, spender: operator });
  }
  return {
    title: approved ? 'Approve full access' : 'Revoke full access',
    summary: approved ? `Let ${who} move everything in ${what}` : `Take back the access of ${who} to ${what}`,
    lines: [addressLine('Contract', to), addressLine('Operator', operator)],
  };
}

const forAll = (selector: string, name: string): CallRule =>
  rule(selector, name, [address, bool], ([operator, approved], call, scene) =>
    fullAccess(operator, approved, call, scene),
  );

/** Transfers of ERC-721 and ERC-1155, and approvals of these and other standards that cover a whole contract. */
export const NFT_RULES: readonly CallRule[] = [
  rule('42842e0e', 'safeTransferFrom', [address, address, uint256], ([from, to, id], call, scene) =>
    transferred(call, scene, from, to, id),
  ),
  rule('b88d4fde', 'safeTransferFrom', [address, address, uint256, bytes], ([from, to, id, data], call, scene) =>
    transferred(call, scene, from, to, id, data),
  ),
  rule(
    'f242432a',
    'safeTransferFrom',
    [address, address, uint256, uint256, bytes],
    ([from, to, id, amount, data], call, scene) => ({
      title: 'Transfer tokens',
      summary: moveSummary({ kind: 'erc1155', id, amount }, { from, to }, call, scene),
      lines: [
        ...parties(call, from, to),
        text('Token ID', id.toString()),
        text('Amount', amount.toString()),
        ...undecodedLine('Data', data),
      ],
    }),
  ),
  rule(
    '2eb2c2d6',
    'safeBatchTransferFrom',
    [address, address, array(uint256), array(uint256), bytes],
    ([from, to, ids, amounts, data], call, scene) => {
      if (ids.length !== amounts.length) return undefined;
      const summaries = ids.map((id, index) =>
        moveSummary({ kind: 'erc1155', id, amount: amounts[index] ?? 0n }, { from, to }, call, scene),
      );
      const shown = ids.slice(0, MAX_SHOWN).map((id, index) => text(`Amount of token ${id}`, `${amounts[index]}`));
      return {
        title: `Transfer ${counted(ids.length, 'kind')} of tokens`,
        summary: withMore(summaries, 'kind'),
        lines: [
          ...parties(call, from, to),
          ...shown,
          ...leftOut(ids.length - shown.length, 'kind'),
          ...undecodedLine('Data', data),
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
    fullAccess(operator, true, call, scene),
  ),
];
