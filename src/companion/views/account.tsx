import { type VNode } from 'preact';

import { isSameAddress } from '../../core/eth/address';
import { accountKind, isImported, isSafe, isSmart, limitsOf } from '../model/account-name';
import { linkTo } from '../model/route';
import { isOnChain } from '../model/usable';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionStatus } from '../parts/action-status';
import { AccountOwners } from '../parts/account-owners';
import { AnnounceAccount } from '../parts/announce-account';
import { Balances } from '../parts/balances';
import { Copyable } from '../parts/copyable';
import { AccountUpgrades } from '../parts/delegations';
import { Empty } from '../parts/empty';
import { ExportKey } from '../parts/export-key';
import { Icon } from '../parts/icons';
import { Identicon } from '../parts/identicon';
import { Panel } from '../parts/panel';
import { ReceiveButton } from '../parts/receive-button';
import { RemoveButton } from '../parts/remove-button';
import { RenameAccount } from '../parts/rename-account';

/** One account: its address, balances on every network, name, key and deletion. */
export function AccountView({ address = '' }: { readonly address: string | undefined }): VNode {
  const { client, accounts, chains } = useSession();
  const action = useAction();
  const account = accounts.find((each) => isSameAddress(each.address, address));
  if (account === undefined)
    return (
      <Empty heading="Account" title="No such account" next={['Back to your accounts', linkTo('home')]}>
        <p>It was deleted, or it belongs to another wallet.</p>
      </Empty>
    );
  const name = account.name;
  const canSign = (account.methods as readonly string[]).includes('personal_sign');
  const on = chains.filter((chain) => isOnChain(account, chain));
  return (
    <>
      <div class="title">
        <Identicon address={account.address} size={48} />
        <div>
          <h1>{name}</h1>
          <p class="hint">{accountKind(account)}</p>
        </div>
      </div>
      <Panel id="address" title="Address">
        <Copyable label="Address" value={account.address} />
        <div class="actions">
          <a class="button main" href={linkTo('send', account.address)}>
            <Icon name="send" />
            Send
          </a>
          <ReceiveButton account={account} />
          {canSign ? (
            <a class="button" href={linkTo('sign', account.address)}>
              <Icon name="sign" />
              Sign
            </a>
          ) : null}
        </div>
      </Panel>
      <Panel id="balances" title="Balances">
        {on.length === 0 ? (
          <p>
            <a href={linkTo('settings')}>Add a network</a> to see the balance.
          </p>
        ) : (
          <Balances account={account} chains={on} />
        )}
        <div class="actions">
          <a class="button" href={linkTo('permissions', account.address)}>
            Who may take it
          </a>
        </div>
      </Panel>
      {isSafe(account) ? <AccountOwners key={account.id} account={account} /> : null}
      {isSmart(account) ? null : <AccountUpgrades key={account.id} account={account} />}
      <Panel id="manage" title="Manage">
        <p class="hint">{limitsOf(account)}</p>
        <p class="hint">
          {isImported(account)
            ? 'Imported. Your recovery phrase does not restore this account, so back it up.'
            : 'Your recovery phrase restores this account.'}
        </p>
        <p>
          <a href={linkTo('recovery')}>How could this account be lost?</a>
          {isSafe(account) ? (
            <>
              {' · '}
              <a href={linkTo('guardians', account.address)}>Guardians</a>
            </>
          ) : null}
        </p>
        <RenameAccount account={account} />
        <ExportKey account={account} />
        <details>
          <summary>{client.wallet.isSimulated ? 'The wallet' : client.wallet.name} does not list this account</summary>
          <AnnounceAccount key={account.id} account={account} />
        </details>
        <div class="actions">
          <RemoveButton
            action={action}
            verb="Delete"
            name={name}
            remove={() => client.keyring('keyring_deleteAccount', { id: account.id })}
          />
        </div>
        <ActionStatus action={action} />
      </Panel>
    </>
  );
}
