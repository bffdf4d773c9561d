import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Address } from 'viem';

import { ownerChangeCall } from '../../core/safe/owners/changes';
import { type Call } from '../../core/erc4337/user-operation';
import { isSameAddress } from '../../core/eth/address';
import { disableModule, type Guardians as Chosen, setGuardians, turnOffAll } from '../../core/safe/recovery/calls';
import { delayInWords, type RecoveryModule } from '../../core/safe/recovery/modules';
import { type Situation } from '../../core/safe/recovery/situation';
import { shortAddress } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { assertApart, guardiansLine, guardingOf, modulesOf, situationOn } from '../model/recovery';
import { safeToBe } from '../model/safe';
import { sendOwnCalls } from '../model/send-own-calls';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { useNames } from '../model/use-names';
import { ActionStatus } from './action-status';
import { AddPasskey } from './add-passkey';
import { Choice } from './choice';
import { GuardiansForm } from './guardians-form';
import { Warning } from './icons';
import { LookupStatus } from './lookup-status';
import { OtherModules } from './other-modules';
import { PracticeRuns, RecoverySheet } from './sheet';

type Props = { readonly account: Account; readonly chain: Chain };

type OnNetworkProps = Props & {
  readonly situation: Situation;
  /** Prepares calls that belong into the operation of the guardians. */
  readonly onFirst: (calls: readonly Call[]) => void;
  readonly isBusy: boolean;
  /** Has the account make calls, which follow from what the network has at that moment. */
  readonly send: (callsOf: (now: Situation) => readonly Call[], done: (before: Situation) => string) => void;
};

/** Makes a passkey an owner in the operation that deploys the account and turns recovery on. */
function FirstPasskey({ account, chain, onFirst }: Props & Pick<OnNetworkProps, 'onFirst'>): VNode {
  const [isAdded, setAdded] = useState(false);
  const address = account.address as Address;
  return (
    <>
      <p>
        The account is not on this network yet. One operation puts it there, with its guardians and, if you make one
        now, a passkey as another owner. It works before anything is paid to the account if the network’s paymaster pays
        the fee.
      </p>
      {isAdded ? (
        <p role="status">The new passkey becomes an owner in the same operation.</p>
      ) : (
        <AddPasskey
          safe={address}
          name={account.name}
          chain={chain}
          onCreated={(owner, create) => {
            const change = { kind: 'add', owner, threshold: 1 } as const;
            onFirst([create, ownerChangeCall(address, safeToBe(String(account.options.owner) as Address), change)]);
            setAdded(true);
          }}
        />
      )}
    </>
  );
}

/** Sends what the form of a module says. */
type Choose = (module: RecoveryModule) => (read: () => Chosen) => void;

/** Turns recovery on with one of the modules that the network has. */
function FirstGuardians({
  account,
  chain,
  situation,
  isBusy,
  choose,
}: OnNetworkProps & { readonly choose: Choose }): VNode {
  const { offered } = situation;
  const [address, setAddress] = useState(offered[0]?.address);
  const module = offered.find((one) => isSameAddress(one.address, address ?? ''));
  if (module === undefined)
    return (
      <p>
        {networkOfChain(chain).name} does not have a recovery module that Keystead knows, so the account cannot have
        guardians there. Keystead never turns on a module that it does not know.
      </p>
    );
  return (
    <GuardiansForm
      module={module}
      now={guardingOf(account, module, situation)}
      isEnabled={false}
      isBusy={isBusy}
      onChosen={choose(module)}
    >
      {offered.length < 2 ? null : (
        <Choice
          label="Delay"
          name="module"
          value={module.address}
          onChange={(chosen) => setAddress(chosen as typeof address)}
          options={offered.map((one) => [one.address, delayInWords(one.period)])}
        />
      )}
    </GuardiansForm>
  );
}

function OnNetwork(props: OnNetworkProps): VNode {
  const { account, chain, situation, isBusy, onFirst, send } = props;
  const { accounts } = useSession();
  const { recoveries } = situation;
  const name = useNames();
  const choose: Choose = (module) => (read) => {
    send(
      (now) => {
        const chosen = read();
        assertApart(chosen.guardians, account, accounts);
        return setGuardians(chosen, guardingOf(account, module, now));
      },
      (before) => `Done: ${guardiansLine(read(), module, guardingOf(account, module, before), name)}.`,
    );
  };
  return (
    <>
      {situation.isDeployed ? null : <FirstPasskey account={account} chain={chain} onFirst={onFirst} />}
      {recoveries.length === 0 ? <FirstGuardians {...props} choose={choose} /> : null}
      {recoveries.map(({ module, state }) => (
        <div class="item" key={module.address}>
          {recoveries.length === 1 ? null : (
            <h3>
              {module.name} {module.version} ({shortAddress(module.address)})
            </h3>
          )}
          {state.isEnabled ? null : (
            <Warning>
              This module is switched off, so its guardians cannot recover the account. They would be back if it were
              switched on again.
            </Warning>
          )}
          <GuardiansForm
            module={module}
            now={state}
            isEnabled={state.isEnabled}
            isBusy={isBusy}
            onChosen={choose(module)}
          />
          {state.isEnabled && state.guardians.length > 0 ? (
            <>
              <PracticeRuns account={account} chain={chain} found={{ module, state }} />
              <RecoverySheet account={account} chain={chain} found={{ module, state }} />
            </>
          ) : null}
        </div>
      ))}
      {recoveries.length === 0 ? null : (
        <div class="actions">
          <button
            type="button"
            aria-disabled={isBusy}
            onClick={() => {
              send(
                (now) => turnOffAll(now.recoveries.map(({ state }) => state)),
                () => 'Recovery is off: no module that Keystead knows has guardians of the account.',
              );
            }}
          >
            Turn off recovery
          </button>
        </div>
      )}
      <OtherModules
        situation={situation}
        isBusy={isBusy}
        onRemove={(module) => {
          send(
            ({ modules }) => [disableModule({ safe: account.address as typeof module, module, modules })],
            () => 'Removed.',
          );
        }}
      />
    </>
  );
}

/** The guardians of a Safe on one network, and what else can act for it. */
export function Guardians({ account, chain }: Props): VNode {
  const { client, devnet, refresh } = useSession();
  const [changes, setChanges] = useState(0);
  const [first, setFirst] = useState<readonly Call[]>([]);
  const action = useAction('Look for Keystead’s dialog. Then the network includes it.');
  const read = (): Promise<Situation> => situationOn(account.address, chain, modulesOf(devnet));
  const { value, error } = useLookup(read, [account.address, chain.rpcUrl, changes]);
  const { name } = networkOfChain(chain);
  const send: OnNetworkProps['send'] = (callsOf, done) => {
    action.run(async () => {
      // Guardians may have begun a recovery since the page was drawn.
      const before = await read();
      const calls = callsOf(before);
      if (calls.length === 0) return 'Nothing to change.';
      if (!(await sendOwnCalls([...first, ...calls], account, chain, client)))
        return 'You have signed. Other owners of the account have to sign too before anything changes: collect their signatures under Proposals.';
      // The snap then watches the module.
      await refresh();
      setFirst([]);
      setChanges((before) => before + 1);
      return done(before);
    });
  };
  return (
    <section class="panel" aria-label={`Guardians on ${name}`}>
      <h2>Guardians on {name}</h2>
      {value === undefined ? (
        <LookupStatus error={error} />
      ) : (
        <OnNetwork
          account={account}
          chain={chain}
          situation={value}
          isBusy={action.isBusy}
          onFirst={setFirst}
          send={send}
        />
      )}
      <ActionStatus action={action} />
    </section>
  );
}
