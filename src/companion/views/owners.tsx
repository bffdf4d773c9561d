import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Address, type Hex, isAddress } from 'viem';

import { MODULE_4337 } from '../../core/safe/contracts';
import { ownerChangeCall, type OwnerChange } from '../../core/safe/owners/changes';
import { type Call } from '../../core/erc4337/user-operation';
import { isOwner } from '../../core/safe/owners/owners';
import { isSameAddress } from '../../core/eth/address';
import { useChosenChain } from '../model/chosen-chain';
import { networkOfChain } from '../model/network';
import { nodeOf } from '../model/node';
import { changeLine } from '../model/owner-change';
import { modulesOf } from '../model/recovery';
import { linkTo } from '../model/route';
import { hasKnownSingleton, powersOf, readSafe, type SafeState, safeToBe, versionOf } from '../model/safe';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { useLookup } from '../model/use-lookup';
import { useNames } from '../model/use-names';
import { AddPasskey } from '../parts/add-passkey';
import { Empty } from '../parts/empty';
import { Facts } from '../parts/facts';
import { Icon, Warning } from '../parts/icons';
import { OwnerChangeForm } from '../parts/owner-change-form';
import { OwnerChangeReview } from '../parts/owner-change-review';
import { ChangeButtons, OwnerList } from '../parts/owner-list';
import { Panel } from '../parts/panel';
import { ProposeCall, ProposePayment } from '../parts/propose';
import { SendProgress } from '../parts/send-progress';
import { LookupStatus } from '../parts/lookup-status';

/** The step of a change: the person chooses, looks at it, or watches it being sent. */
type Stage =
  | { readonly at: 'list' }
  | { readonly at: 'form'; readonly kind: OwnerChange['kind']; readonly owner?: Address }
  | {
      readonly at: 'review' | 'progress';
      readonly change: OwnerChange;
      /** A call that has to come first. */
      readonly before?: Call;
    };

/** Everything besides the owners that can act for the account or stop it. */
const Powers = ({ safe }: { readonly safe: SafeState }): VNode => (
  <Panel id="powers" title="Others with power over it">
    {powersOf(safe).map(({ label, address, meaning, isUnknown }) => (
      <div class="item" key={`${label} ${address}`}>
        <h3>{label}</h3>
        <p class="address">{address}</p>
        <p class={isUnknown ? 'warning' : 'hint'}>
          {isUnknown ? <Icon name="warning" /> : null}
          <span>{meaning}</span>
        </p>
      </div>
    ))}
    {safe.hasMoreModules ? <p class="warning">It has more modules than are shown here.</p> : null}
    <Facts
      facts={[
        ['Version', versionOf(safe)],
        ['Code', <span class="address">{safe.singleton}</span>],
      ]}
    />
  </Panel>
);

/** @returns Why nothing can be proposed for an account; undefined if something can. */
function obstacleTo(safe: SafeState): string | undefined {
  if (!hasKnownSingleton(safe)) return 'Keystead proposes nothing for an account whose code it does not know.';
  const isModule = safe.modules.some(({ kind }) => kind === 'erc4337');
  return isModule && safe.fallbackHandler !== undefined && isSameAddress(safe.fallbackHandler, MODULE_4337)
    ? undefined
    : 'This account sends no user operations: its module for them (Safe4337Module 0.3.0) is off. Use Safe{Wallet} to change it.';
}

type OnChainProps = {
  readonly address: Address;
  readonly chain: Chain;
  /** Absent if it is not an own account. */
  readonly account: Account | undefined;
};

function OwnersOn({ address, chain, account }: OnChainProps): VNode {
  const { devnet } = useSession();
  const called = useNames();
  const [read, setRead] = useState(0);
  const [stage, setStage] = useState<Stage>({ at: 'list' });
  const {
    value: found,
    error,
    isBusy,
  } = useLookup(
    () => readSafe(nodeOf(chain), address, modulesOf(devnet)),
    [address, chain.chainId, chain.rpcUrl, read],
  );
  const ownKey = account?.options.owner;
  const isToBe = found === undefined && !isBusy && error === undefined && typeof ownKey === 'string';
  const value = isToBe ? safeToBe(ownKey as Hex) : found;
  const toList = (): void => {
    setStage({ at: 'list' });
    setRead(read + 1);
  };
  if (value === undefined)
    return (
      <LookupStatus error={error}>
        {isBusy ? 'Asking the network…' : 'There is no account at this address on this network yet.'}
      </LookupStatus>
    );
  // Its key may be lost to it: the other owners can propose then.
  const own = account !== undefined && isOwner(String(account.options.owner), value) ? account : undefined;
  const problem = own === undefined ? obstacleTo(value) : undefined;
  const canChange = problem === undefined;
  if (stage.at === 'progress' && own === undefined)
    return (
      <ProposeCall
        safe={address}
        current={value}
        chain={chain}
        call={ownerChangeCall(address, value, stage.change)}
        onBack={toList}
      />
    );
  if (stage.at === 'progress' && own !== undefined)
    return (
      <SendProgress
        chain={chain}
        account={own}
        calls={[...(stage.before === undefined ? [] : [stage.before]), ownerChangeCall(address, value, stage.change)]}
        lines={[changeLine(stage.change, value, called)]}
        next={stage.before === undefined || value.threshold > 1 ? 'Back to the owners' : 'Try the passkey'}
        onSent={() => undefined}
        onClose={toList}
      />
    );
  if (stage.at === 'review')
    return (
      <OwnerChangeReview
        safe={address}
        current={value}
        change={stage.change}
        network={networkOfChain(chain).name}
        onBack={toList}
        onSend={() => setStage({ ...stage, at: 'progress' })}
      />
    );
  if (stage.at === 'form')
    return (
      <OwnerChangeForm
        safe={address}
        chain={chain}
        current={value}
        kind={stage.kind}
        owner={stage.owner}
        onBack={toList}
        onReview={(change) => setStage({ at: 'review', change })}
      />
    );
  const change = (kind: OwnerChange['kind'], owner?: Address) => (): void =>
    setStage({ at: 'form', kind, ...(owner && { owner }) });
  return (
    <>
      {hasKnownSingleton(value) ? null : (
        <Warning isDanger>
          Keystead does not know this account’s code. The owners and everything else below are what that code says of
          itself.
        </Warning>
      )}
      {isToBe ? (
        <p>
          The account is not on this network yet. Its first operation puts it there, with the owners that you choose
          here. <a href={linkTo('guardians', address)}>With guardians and a passkey at once</a>
        </p>
      ) : null}
      <Panel id="owners" title={`${value.threshold} of ${value.owners.length} must sign`}>
        <OwnerList
          owners={value.kinds}
          safe={account}
          chain={chain}
          {...(canChange && {
            beside: (owner: Address, name: string) => (
              <ChangeButtons
                name={name}
                isOnly={value.owners.length === 1}
                onChange={(kind) => change(kind, owner)()}
              />
            ),
          })}
        />
        {canChange ? (
          <div class="actions">
            <button type="button" class="main" onClick={change('add')}>
              Add an owner
            </button>
            {value.owners.length === 1 ? null : (
              <button type="button" onClick={change('threshold')}>
                Change how many must sign
              </button>
            )}
          </div>
        ) : (
          <p class="warning">{problem}</p>
        )}
        {own === undefined ? null : (
          <AddPasskey
            safe={address}
            name={own.name}
            chain={chain}
            onCreated={(owner, before) =>
              setStage({ at: 'review', change: { kind: 'add', owner, threshold: value.threshold }, before })
            }
          />
        )}
      </Panel>
      {own === undefined && canChange ? <ProposePayment safe={address} current={value} chain={chain} /> : null}
      <Powers safe={value} />
    </>
  );
}

type Props = { readonly address: string | undefined; readonly chainId: string | undefined };

/** The owners of a Safe on one network, with the ways to change them. Those of a foreign account are proposals. */
export function Owners({ address = '', chainId }: Props): VNode {
  const { accounts, chains } = useSession();
  const chosen = useChosenChain();
  const chain = chains.find((each) => each.chainId === chainId) ?? chosen;
  const account = accounts.find((each) => isSameAddress(each.address, address));
  if (!isAddress(address, { strict: false }) || chain === undefined)
    return (
      <Empty
        heading="Owners"
        title={chain === undefined ? 'No networks yet' : 'No such account'}
        next={chain === undefined ? ['Add a network', linkTo('settings')] : ['Back to your accounts', linkTo('home')]}
      />
    );
  return (
    <>
      <h1>Owners</h1>
      <p class="hint">
        {account === undefined ? 'A Safe that is not an account of this wallet,' : account.name} on{' '}
        {networkOfChain(chain).name}. The owners are those that the node at {new URL(chain.rpcUrl).host} says.
      </p>
      <OwnersOn key={`${address} ${chain.chainId}`} address={address} chain={chain} account={account} />
    </>
  );
}
