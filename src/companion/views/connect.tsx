import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { MINIMUM_METAMASK_VERSION } from '../../core/minimum-wallet';
import { connectCautions } from '../model/connect-failure';
import { type Waiting } from '../model/connect-snap';
import { type HostWallet } from '../model/wallets';
import { linkTo } from '../model/route';
import { useAction } from '../model/use-action';
import { ActionStatus } from '../parts/action-status';
import { Field } from '../parts/field';
import { Icon } from '../parts/icons';
import { Panel } from '../parts/panel';
import { Removing } from '../parts/removing';
import { OnboardingSteps } from '../parts/steps';
import { Warning } from '../parts/warning';

type Props = {
  readonly wallets: readonly HostWallet[];
  /** The versions that they report, by name of announcement. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly snapId: string;
  /** The person has lost an account, and was told more above. */
  readonly isLost: boolean;
  /** @param tell - Told what the page waits for. */
  readonly onConnect: (wallet: HostWallet, snapId: string, tell: (waiting: Waiting) => void) => Promise<void>;
};

const FLASK = 'https://docs.metamask.io/snaps/get-started/install-flask/';

/** The first screen: introduces Keystead and connects a wallet. */
export function Connect({ wallets, versions, snapId, isLost, onConnect }: Props): VNode {
  const [chosenId, setChosenId] = useState(snapId);
  const [waiting, setWaiting] = useState<{ readonly wallet: HostWallet; readonly what: Waiting }>();
  const action = useAction();
  // Flask first: it is there because somebody wants to use snaps.
  const metamasks = wallets
    .filter(({ isSimulated }) => !isSimulated)
    .sort((a, b) => Number(b.isFlask) - Number(a.isFlask));
  const simulated = wallets.find(({ isSimulated }) => isSimulated);
  const connect = (wallet: HostWallet): void => {
    action.run(async () => {
      try {
        await onConnect(wallet, chosenId, (what) => setWaiting({ wallet, what }));
      } finally {
        setWaiting(undefined);
      }
    });
  };
  const metamaskCard = (wallet: HostWallet): VNode => {
    const { protocol } = location;
    const cautions = connectCautions({ wallet, version: versions[wallet.rdns], snapId: chosenId, protocol });
    return (
      <Panel key={wallet.rdns} id={wallet.rdns} title={wallet.name} class="card">
        <p>It asks you before it installs Keystead, and before it adds an account.</p>
        {cautions.map((caution) => (
          <p key={caution} class="warning">
            <Icon name="warning" /> {caution}
          </p>
        ))}
        <div class="actions">
          <button
            type="button"
            class={cautions.length === 0 ? 'main' : ''}
            aria-disabled={action.isBusy}
            onClick={() => connect(wallet)}
          >
            Connect {wallet.name}
          </button>
        </div>
      </Panel>
    );
  };
  const getCard = (
    <Panel key="metamask" id="metamask" title="MetaMask" class="card">
      <p>
        Not found in this browser. Keystead needs version {MINIMUM_METAMASK_VERSION} or newer. MetaMask Flask, the
        edition for developers, also installs snaps that this machine serves.
      </p>
      <div class="actions">
        <a class="button" href={FLASK} rel="noreferrer">
          Get MetaMask Flask
        </a>
      </div>
    </Panel>
  );
  const simulatedCard = (
    <Panel key="simulated" id="simulated" title="Simulated wallet" class="card">
      <p>
        Runs the same snap in MetaMask’s own execution environment, inside this page. It is for testing: never use real
        funds with it.
      </p>
      <div class="actions">
        <button
          type="button"
          class={metamasks.length === 0 ? 'main' : ''}
          aria-disabled={action.isBusy}
          disabled={simulated === undefined}
          onClick={() => {
            if (simulated !== undefined) connect(simulated);
          }}
        >
          Use the simulated wallet
        </button>
      </div>
    </Panel>
  );
  // What can be used comes first.
  const cards = metamasks.length === 0 ? [simulatedCard, getCard] : [...metamasks.map(metamaskCard), simulatedCard];
  return (
    <>
      {isLost ? null : (
        <>
          <h1>Ethereum accounts you cannot lose</h1>
          <p class="lead">
            Keystead is a MetaMask Snap. Your recovery phrase restores every account that Keystead makes from it; an
            imported key needs a backup as well. Without the phrase, guardians can recover a Safe, if you chose them
            before.
          </p>
          <p>
            <a href={linkTo('lost')}>I lost my recovery phrase</a>
          </p>
          <OnboardingSteps current={0} />
        </>
      )}
      <div class="cards two">{cards}</div>
      <ActionStatus action={action} />
      {waiting?.what === 'removal' ? <Removing wallet={waiting.wallet} /> : null}
      {waiting?.what === 'answer' ? (
        <Warning role="alert">
          {waiting.wallet.name} has not answered yet. Open it and look for a request. If you are removing Keystead
          there, leave its page open until that is done. This page then goes on by itself.
        </Warning>
      ) : null}
      <details>
        <summary>Use a different snap</summary>
        <div class="form" onInput={({ target }) => setChosenId((target as HTMLInputElement).value.trim())}>
          <Field
            label="Snap ID"
            name="snapId"
            value={snapId}
            hint="npm:keystead, or local: and the URL that serves it"
          />
        </div>
      </details>
    </>
  );
}
