import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Address } from 'viem';

import { type OwnerChange } from '../../core/safe/owners/changes';
import { type Call } from '../../core/erc4337/user-operation';
import { isSameAddress } from '../../core/eth/address';
import { type Passkey, passkeyLink } from '../model/passkeys';
import { type SafeState } from '../model/safe';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { AddPasskey } from './add-passkey';
import { OwnerChangeForm } from './owner-change-form';
import { ChangeButtons, OwnerList } from './owner-list';
import { Panel } from './panel';

type Props = {
  readonly passkey: Passkey;
  readonly safe: SafeState;
  /** Prepares a change for review, after a call that has to come first; absent if the passkey cannot send alone. */
  readonly onChange: ((change: OwnerChange, first?: Call) => Promise<undefined>) | undefined;
};

/** The owners of the account of a passkey, which can change them. */
export function PasskeyOwners({ passkey, safe, onChange }: Props): VNode {
  const { safe: address, chain, signer, name: account } = passkey;
  const action = useAction('Asking the network…');
  const [form, setForm] = useState<{ readonly kind: OwnerChange['kind']; readonly owner?: Address }>();
  if (form !== undefined && onChange !== undefined)
    return (
      <OwnerChangeForm
        safe={address}
        chain={chain}
        current={safe}
        kind={form.kind}
        owner={form.owner}
        onBack={() => setForm(undefined)}
        onReview={async (change) => {
          await onChange(change);
        }}
      />
    );
  return (
    <Panel id="owners" title={`${safe.threshold} of ${safe.owners.length} must sign`}>
      <OwnerList
        owners={safe.kinds}
        safe={undefined}
        chain={chain}
        beside={(owner, name) =>
          // A passkey that removes itself locks this page out.
          onChange === undefined || isSameAddress(owner, signer) ? null : (
            <ChangeButtons name={name} onChange={(kind) => setForm({ kind, owner })} />
          )
        }
      />
      {onChange === undefined ? null : (
        <>
          <div class="actions">
            <button type="button" onClick={() => setForm({ kind: 'add' })}>
              Add an owner
            </button>
            <a class="button main" href={passkeyLink(passkey, 'new-phrase')}>
              Give it to a new recovery phrase
            </a>
          </div>
          <AddPasskey
            safe={address}
            name={account}
            chain={chain}
            onCreated={(owner, create) =>
              action.run(() => onChange({ kind: 'add', owner, threshold: safe.threshold }, create))
            }
          />
          <ActionStatus action={action} />
        </>
      )}
    </Panel>
  );
}
