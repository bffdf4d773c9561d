import { type ComponentChildren, type VNode } from 'preact';
import { type Address, getAddress } from 'viem';

import { type Owner } from '../../core/erc4337/safe/owners/owners';
import { isSameAddress } from '../../core/eth/address';
import { contacts } from '../model/contacts';
import { nameOf } from '../model/recipient-name';
import { useSession } from '../model/session';
import { type Account } from '../model/types';
import { Identicon } from './identicon';

/** @returns What the page calls an owner; undefined for a stranger. */
function useOwnerName(safe: Account | undefined): (owner: string) => string | undefined {
  const { accounts } = useSession();
  const known = { accounts, contacts: contacts.use() };
  return (owner) =>
    typeof safe?.options.owner === 'string' && isSameAddress(safe.options.owner, owner)
      ? 'This account’s own key'
      : nameOf(owner, known);
}

type Props = {
  readonly owners: readonly Owner[];
  /** The own account that they own, if it is one. */
  readonly safe: Account | undefined;
  /** What is shown beside an owner. */
  readonly beside?: (owner: Address, name: string) => ComponentChildren;
};

/** The owners of a Safe, each with its name and how it signs. */
export function OwnerList({ owners, safe, beside }: Props): VNode {
  const ownerName = useOwnerName(safe);
  return (
    <ul class="rows" aria-label="Owners">
      {owners.map(({ address, isContract }) => {
        const name = ownerName(address);
        const whole = getAddress(address);
        return (
          <li class="row contact" key={address}>
            <Identicon address={address} />
            <div class="who">
              <h3>{name ?? (isContract ? 'A contract' : 'An owner')}</h3>
              <p class="address">{whole}</p>
              {isContract ? <p class="hint">A contract: it decides which signatures count as its own.</p> : null}
            </div>
            {beside === undefined ? null : <div class="row-actions">{beside(whole, name ?? whole)}</div>}
          </li>
        );
      })}
    </ul>
  );
}
