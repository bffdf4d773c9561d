import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { isSameAddress } from '../../core/eth/address';
import { type Permission } from '../../core/ledger/permissions';
import { revokeCalls } from '../../core/ledger/revoke';
import { type Search } from '../model/account-scan';
import { useChosenChain } from '../model/chosen-chain';
import { networkOfChain } from '../model/network';
import { findPermissions, type PermissionList, takenBack } from '../model/permissions';
import { linkTo } from '../model/route';
import { sendOwnCalls } from '../model/send-own-calls';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { counted } from '../model/units';
import { useAction } from '../model/use-action';
import { useNames } from '../model/use-names';
import { ActionStatus } from '../parts/action-status';
import { Empty } from '../parts/empty';
import { FoundHoldings } from '../parts/found-holdings';
import { SearchBasis, SearchControls } from '../parts/network-search';
import { OpenSignatures } from '../parts/open-signatures';
import { Panel } from '../parts/panel';
import { PermissionRow } from '../parts/permission-row';

const keyOf = ({ kind, token, spender, id }: Permission): string => `${kind} ${token} ${spender} ${id ?? ''}`;

/** What the list rests on: the blocks that were searched, and whether the node finds anything. */
function Basis({ list }: { readonly list: PermissionList }): VNode {
  const { unread, leftOut } = list;
  return (
    <>
      <SearchBasis scan={list} />
      {leftOut === 0 ? null : (
        <p class="warning">
          {counted(leftOut, 'more permission')} in the logs of single tokens were not looked at: only the newest are.
        </p>
      )}
      {unread === 0 ? null : (
        <p class="warning">{counted(unread, 'contract')} did not say what they allow. They are not in this list.</p>
      )}
    </>
  );
}

function PermissionsOn({ account, chain }: { readonly account: Account; readonly chain: Chain }): VNode {
  const session = useSession();
  const called = useNames();
  const revocation = useAction();
  const [list, setList] = useState<PermissionList>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { name } = networkOfChain(chain);

  const find = async (options: Search): Promise<undefined> => {
    setList(await findPermissions(account, chain, options));
    setChosen(new Set());
  };
  const permissions = list?.permissions ?? [];
  // One that cannot be taken back would make the others fail.
  const revocable = permissions.filter(({ isStuck }) => isStuck !== true);
  const selected = permissions.filter((permission) => chosen.has(keyOf(permission)));
  return (
    <>
      <Panel id="found" title={`On ${name}`}>
        {list === undefined ? (
          <p class="hint">
            Keystead searches the events of this account on your node, the newest first. The node learns that you look
            for this address. Nobody else does.
          </p>
        ) : (
          <Basis list={list} />
        )}
        <SearchControls
          label={list === undefined ? 'Search' : 'Search again'}
          isMain={list === undefined}
          find={find}
          hasMore={list !== undefined && list.requestsLeft > 0}
        />
        {list !== undefined && permissions.length === 0 ? (
          <Empty title="Nothing found">
            <p>
              In the blocks that were searched, no event gives a permission that still holds. Permissions that were
              signed and not used yet leave no event.
            </p>
          </Empty>
        ) : null}
        {permissions.length === 0 ? null : (
          <>
            <ul class="rows" aria-label="Permissions">
              {permissions.map((permission) => (
                <PermissionRow
                  key={keyOf(permission)}
                  permission={permission}
                  token={list?.tokens.get(permission.token)}
                  name={called(permission.spender)}
                  isChosen={chosen.has(keyOf(permission))}
                  onChoose={(isChosen) => {
                    const next = new Set(chosen);
                    if (isChosen) next.add(keyOf(permission));
                    else next.delete(keyOf(permission));
                    setChosen(next);
                  }}
                />
              ))}
            </ul>
            <div class="actions">
              <button
                type="button"
                onClick={() =>
                  setChosen(selected.length === revocable.length ? new Set() : new Set(revocable.map(keyOf)))
                }
              >
                {selected.length === revocable.length ? 'Choose none' : 'Choose all'}
              </button>
              <button
                type="button"
                class="main"
                aria-disabled={revocation.isBusy || selected.length === 0}
                onClick={() => {
                  if (selected.length === 0) return;
                  revocation.run(async () => {
                    const isDone = await sendOwnCalls(revokeCalls(selected), account, chain, session.client);
                    if (!isDone) return 'Other owners have to sign this first. It waits in Proposals.';
                    await find({ isWhole: false, onProgress: () => undefined, signal: new AbortController().signal });
                    return takenBack(selected, account, chain);
                  });
                }}
              >
                {selected.length < 2 ? 'Take it back' : `Take back ${selected.length} permissions`}
              </button>
            </div>
          </>
        )}
        <ActionStatus action={revocation} />
      </Panel>
      {list === undefined ? null : <FoundHoldings holdings={list.holdings} tokens={list.tokens} chain={chain} />}
    </>
  );
}

/** Who may take the tokens and NFTs of an account, on the chosen network, with a button that takes it back. */
export function Permissions({ address = '' }: { readonly address: string | undefined }): VNode {
  const { accounts } = useSession();
  const chain = useChosenChain();
  const account = accounts.find((each) => isSameAddress(each.address, address));
  if (account === undefined || chain === undefined)
    return (
      <Empty
        heading="Permissions"
        title={account === undefined ? 'No such account' : 'No network'}
        next={account === undefined ? ['Back to your accounts', linkTo('home')] : ['Add a network', linkTo('settings')]}
      />
    );
  return (
    <>
      <h1>Who may take it</h1>
      <p class="hint">
        Sites ask for permission to take tokens and NFTs from{' '}
        <a href={linkTo('account', account.address)}>{account.name}</a>. A permission stays until you take it back.
      </p>
      <PermissionsOn key={`${chain.chainId} ${account.address}`} account={account} chain={chain} />
      <OpenSignatures account={account} chain={chain} />
    </>
  );
}
