import { type VNode } from 'preact';

import { contractName } from '../../core/decode/words/known-contracts';
import { spelled } from '../../core/decode/words/names';
import { type Permission } from '../../core/ledger/permissions';
import { endOf, permissionTitle, STUCK, takeableWords, warningSentence } from '../../core/ledger/words';
import { type Token } from '../model/tokens';
import { formatAmount } from '../model/units';
import { Party } from './party';

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dateOf = (seconds: bigint): string => DATE.format(Number(seconds) * 1000);

type Props = {
  readonly permission: Permission;
  readonly token: Token | undefined;
  /** What the page calls the spender. */
  readonly name: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
};

/** One permission: who may take what, since when, and what speaks against it. */
export function PermissionRow({ permission, token, name, isChosen, onChoose }: Props): VNode {
  const { kind, spender, since, isStuck = false, warnings } = permission;
  const title = permissionTitle(permission, token, formatAmount);
  const end = endOf(permission);
  const today = takeableWords(permission, token, formatAmount);
  return (
    <li class="item">
      <label class="choice">
        <input
          type="checkbox"
          checked={isChosen}
          disabled={isStuck}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
        <strong>{title}</strong>
      </label>
      <Party address={spelled(spender)} name={name ?? contractName(spender)} />
      {today === undefined ? null : <p class="hint">{today}</p>}
      <p class="hint">
        Since {since.time === undefined ? `block ${since.block.toLocaleString('en-US')}` : dateOf(since.time)}
        {kind === 'permit2' ? ', through Permit2' : ''}
        {end === undefined ? '' : `, until ${dateOf(end)}`}
      </p>
      {isStuck ? <p class="warning">{STUCK}</p> : null}
      {warnings.length === 0 ? null : <p class="warning">{warnings.map(warningSentence).join(' ')}</p>}
    </li>
  );
}
