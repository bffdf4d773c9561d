import { type VNode } from 'preact';

import { contractName } from '../../core/decode/words/known-contracts';
import { spelled } from '../../core/decode/words/names';
import { isUnlimited } from '../../core/decode/words/amounts';
import { type Permission } from '../../core/ledger/permissions';
import { warningSentence } from '../../core/ledger/words';
import { shortAddress } from '../model/account-name';
import { type Token } from '../model/tokens';
import { formatAmount } from '../model/units';
import { Party } from './party';

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dateOf = (seconds: bigint): string => DATE.format(Number(seconds) * 1000);
/** Later times stand for no end. */
const NEVER = 4_102_444_800n;

type Props = {
  readonly permission: Permission;
  readonly token: Token | undefined;
  /** What the page calls the spender. */
  readonly name: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
};

/** @returns What may be taken, such as "All your USDC" or "NFT #7 of 0x1234…5678". */
export function permissionTitle({ kind, token, id, amount = 0n }: Permission, known: Token | undefined): string {
  if (kind === 'item' && !isUnlimited(amount)) return `${amount} of item #${id} of ${shortAddress(token)}`;
  if (kind === 'item') return `All of item #${id} of ${shortAddress(token)}`;
  if (kind === 'operator') return `All your tokens of ${shortAddress(token)}`;
  if (kind === 'credit')
    return isUnlimited(amount)
      ? `Loans that you owe, as ${shortAddress(token)}`
      : `Loans of ${amount} units that you owe, as ${shortAddress(token)}`;
  if (kind === 'collection' || kind === 'items') return `Everything in ${shortAddress(token)}`;
  if (kind === 'nft') return `NFT #${id} of ${shortAddress(token)}`;
  const what = known === undefined ? `tokens of ${shortAddress(token)}` : known.symbol;
  if (isUnlimited(amount)) return `All your ${what}`;
  return known === undefined
    ? `${amount} units of ${shortAddress(token)}`
    : `${formatAmount(amount, known.decimals)} ${what}`;
}

/** What could be taken today. */
function todayText({ takeable }: Permission, token: Token | undefined): string | undefined {
  if (takeable === undefined) return undefined;
  if (takeable === 0n) return 'Today there is nothing to take.';
  return token === undefined
    ? 'There is something to take today.'
    : `${formatAmount(takeable, token.decimals)} ${token.symbol} could be taken today.`;
}

/** One permission: who may take what, since when, and what speaks against it. */
export function PermissionRow({ permission, token, name, isChosen, onChoose }: Props): VNode {
  const { kind, spender, since, expires, isStuck = false, warnings } = permission;
  const title = permissionTitle(permission, token);
  const today = todayText(permission, token);
  return (
    <li class="item">
      <label class="choice">
        <input
          type="checkbox"
          checked={isChosen}
          disabled={isStuck}
          onChange={({ currentTarget }) => {
            onChoose(currentTarget.checked);
          }}
        />
        <strong>{title}</strong>
      </label>
      <Party address={spelled(spender)} name={name ?? contractName(spender)} />
      {today === undefined ? null : <p class="hint">{today}</p>}
      <p class="hint">
        Since {since.time === undefined ? `block ${since.block.toLocaleString('en-US')}` : dateOf(since.time)}
        {kind === 'permit2' ? ', through Permit2' : ''}
        {expires === undefined || expires >= NEVER ? '' : `, until ${dateOf(expires)}`}
      </p>
      {isStuck ? <p class="warning">Its contract refuses to take this back now.</p> : null}
      {warnings.length === 0 ? null : <p class="warning">{warnings.map(warningSentence).join(' ')}</p>}
    </li>
  );
}
