import { type ComponentChildren, type VNode } from 'preact';
import { type Address, getAddress } from 'viem';

import { type Owner } from '../../core/safe/owners/owners';
import { isSameAddress } from '../../core/eth/address';
import { signWithPasskey } from '../model/credential';
import { nodeOf } from '../model/node';
import { passkeyOwner, type PasskeyOwner, type Standing, tryPasskey } from '../model/passkey-owner';
import { keepPasskey, type Passkey, passkeys } from '../model/passkeys';
import { type Account, type Chain } from '../model/types';
import { useAction } from '../model/use-action';
import { useNames } from '../model/use-names';
import { ActionButton } from './action-button';
import { ActionStatus } from './action-status';
import { Identicon } from './identicon';

/** @returns What the page calls an owner; undefined for a stranger. */
function useOwnerName(safe: Account | undefined): (owner: string) => string | undefined {
  const called = useNames();
  return (owner) =>
    typeof safe?.options.owner === 'string' && isSameAddress(safe.options.owner, owner)
      ? 'This account’s own key'
      : called(owner);
}

const PASSKEYS: Readonly<Record<Standing, string>> = {
  'cannot-sign':
    'This passkey cannot sign here: the network has no contract that verifies its signatures. Remove it from the owners.',
  untried: 'This passkey has not signed here yet. Try it before you require more signatures.',
  signs: 'A contract verifies its signatures, and accepted one on this network.',
};

/** Has a passkey sign once, to see whether the network accepts that. */
function TryPasskey({ passkey, chain }: { readonly passkey: Passkey; readonly chain: Chain }): VNode {
  const action = useAction('Look for the browser’s dialog.');
  const attempt = async (): Promise<undefined> => {
    await tryPasskey(passkey, (hash) => signWithPasskey(passkey, hash), nodeOf(chain));
    keepPasskey({ ...passkey, hasSigned: true });
  };
  return (
    <>
      <ActionButton action={action} class="small" work={attempt}>
        Try the passkey
      </ActionButton>
      <ActionStatus action={action} />
    </>
  );
}

/** @returns Whether a passkey of this browser can sign as an owner. */
const PasskeyStanding = ({ passkey, standing, chain }: PasskeyOwner & { readonly chain: Chain }): VNode => (
  <>
    <p class={standing === 'signs' ? 'hint' : 'warning'}>{PASSKEYS[standing]}</p>
    {standing === 'untried' ? <TryPasskey passkey={passkey} chain={chain} /> : null}
  </>
);

type ChangeProps = {
  /** What the page calls the owner. */
  readonly name: string;
  /** It cannot be removed, because there is no other owner. */
  readonly isOnly?: boolean;
  readonly onChange: (kind: 'replace' | 'remove') => void;
};

/** Beside an owner that can be changed. */
export const ChangeButtons = ({ name, isOnly = false, onChange }: ChangeProps): VNode => (
  <>
    <button type="button" class="small quiet" onClick={() => onChange('replace')}>
      Replace<span class="visually-hidden"> {name}</span>
    </button>
    {isOnly ? null : (
      <button type="button" class="small quiet" onClick={() => onChange('remove')}>
        Remove<span class="visually-hidden"> {name}</span>
      </button>
    )}
  </>
);

type Props = {
  readonly owners: readonly Owner[];
  /** The own account that they own, if it is one. */
  readonly safe: Account | undefined;
  readonly chain: Chain;
  /** The remark that is shown beside an owner. */
  readonly beside?: (owner: Address, name: string) => ComponentChildren;
};

/** The owners of a Safe, each with its name and how it signs. */
export function OwnerList({ owners, safe, chain, beside }: Props): VNode {
  const ownerName = useOwnerName(safe);
  const known = passkeys.use();
  return (
    <ul class="rows" aria-label="Owners">
      {owners.map((owner) => {
        const { address, isContract } = owner;
        const passkey = passkeyOwner(owner, chain, known);
        const name = ownerName(address);
        const whole = getAddress(address);
        return (
          <li class="row contact" key={address}>
            <Identicon address={address} />
            <div class="who">
              <h3>{name ?? (isContract ? 'A contract' : 'An owner')}</h3>
              <p class="address">{whole}</p>
              {passkey !== undefined ? (
                <PasskeyStanding {...passkey} chain={chain} />
              ) : isContract ? (
                <p class="hint">A contract: it decides which signatures count as its own.</p>
              ) : null}
            </div>
            {beside === undefined ? null : <div class="row-actions">{beside(whole, name ?? whole)}</div>}
          </li>
        );
      })}
    </ul>
  );
}
