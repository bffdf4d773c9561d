import { MAX_UINT256 } from '../../eth/units';
import { type Line } from '../explanation';
import { type WordScene } from '../scene';
import { isBeyondSupply, isUnlimited, tokenAmount } from '../words/amounts';
import { address, addressOr, leftOut, text } from '../words/lines';
import { endTime, utcTime } from '../words/time';
import { type Allow, type Effect, type Move } from './effect';

/** A list shows no more entries. Further ones are counted, and judged all the same. */
const MAX_ENTRIES = 20;

function moveLines(move: Move, scene: WordScene): Line[] {
  const { asset, from, to, amount, mayBeId, namesOwner } = move;
  if (asset.kind === 'native' || to === undefined) return [];
  const parties = [
    ...(namesOwner === true && from !== undefined ? [address('From', from)] : []),
    address('Recipient', to),
  ];
  if (asset.kind !== 'erc20')
    return [
      address('Collection', asset.token),
      ...parties,
      text('Token ID', asset.id.toString()),
      ...(asset.kind === 'erc721' ? [] : [text('Amount', amount.toString())]),
    ];
  const written = amount === MAX_UINT256 ? 'all' : tokenAmount(amount, asset.token, scene);
  return [address('Token', asset.token), ...parties, text(mayBeId === true ? 'Amount or token ID' : 'Amount', written)];
}

function amountText({ amount, token, mayBeId, once }: Allow, scene: WordScene): string {
  if (amount === 0n) return mayBeId === true ? '0' : 'nothing';
  if (once !== true && isBeyondSupply(amount, token, scene)) return 'unlimited';
  return token === undefined ? amount.toString() : tokenAmount(amount, token, scene);
}

function allowLines(allow: Allow, scene: WordScene): Line[] {
  const { of, owner, spender, token, amount, id = 0n, end, deadline, once, mayBeId, namesOwner, role } = allow;
  const { now } = scene.view;
  const { signed } = scene.findings;
  const label = { amount: 'Token', nft: 'Collection', everything: 'Contract' }[of];
  const amountLabel = once === true ? 'Maximum amount' : mayBeId === true ? 'Amount or token ID' : 'Amount';
  return [
    addressOr(label, token),
    address(role ?? (of === 'everything' ? 'Operator' : 'Spender'), spender),
    ...(namesOwner === true && owner !== undefined ? [address('Owner', owner)] : []),
    ...(of === 'amount' ? [text(amountLabel, amountText(allow, scene))] : []),
    ...(of === 'nft' ? [text('Token ID', id.toString())] : []),
    ...(of === 'nft' && amount > 1n ? [text('Amount', isUnlimited(amount) ? 'unlimited' : amount.toString())] : []),
    ...(end === undefined ? [] : [text('Approval expires', signed.wrote(end, endTime(end, now)))]),
    ...(deadline === undefined ? [] : [text('Signature expires', signed.wrote(deadline, endTime(deadline, now)))]),
  ];
}

/** The rows of a call or message about what it moves and allows. A spender is named once. */
export function effectLines(effects: readonly Effect[], scene: WordScene): Line[] {
  const listed = effects.filter(({ kind }) => kind === 'move' || kind === 'allow');
  const named = new Set<string>();
  const lines = listed.slice(0, MAX_ENTRIES).flatMap((effect) => {
    if (effect.kind === 'move') return moveLines(effect, scene);
    return effect.kind === 'allow' ? allowLines(effect, scene) : [];
  });
  return [
    ...lines.filter(({ label, value }) => {
      if (label !== 'Spender' && label !== 'Signature expires') return true;
      const isNew = !named.has(label + value);
      named.add(label + value);
      return isNew;
    }),
    ...leftOut(listed.length - MAX_ENTRIES, 'item'),
  ];
}

/** The time at which a signature or an order starts to count, if it does not count at once. */
export const startLine = (start: bigint): Line => text('Validity starts', utcTime(start));
