import { type ComponentChildren, type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { MINIMUM_METAMASK_VERSION } from '../../core/minimum-wallet';
import { connectCautions } from '../model/connect-failure';
import { type Waiting } from '../model/connect-snap';
import { type HostWallet } from '../model/wallets';
import { linkTo } from '../model/route';
import { useAction } from '../model/use-action';
import { ActionStatus } from '../parts/action-status';
import { Field } from '../parts/field';
import { Warning } from '../parts/icons';
import { Removing } from '../parts/removing';
import { OnboardingSteps } from '../parts/steps';

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

type CardProps = { readonly id: string; readonly title: string; readonly children: ComponentChildren };

/** A wallet. The first screen does without the panels of the other views. */
const Card = ({ id, title, children }: CardProps): VNode => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

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
  const button = (text: string, wallet: HostWallet | undefined, isMain: boolean): VNode => (
    <div class="actions">
      <button
        type="button"
        class={isMain ? 'main' : ''}
        aria-disabled={action.isBusy}
        disabled={wallet === undefined}
        onClick={() => wallet && connect(wallet)}
      >
        {text}
      </button>
    </div>
  );
  const metamaskCard = (wallet: HostWallet): VNode => {
    const { protocol } = location;
    const cautions = connectCautions({ wallet, version: versions[wallet.rdns], snapId: chosenId, protocol });
    return (
      <Card id={wallet.rdns} title={wallet.name} key={wallet.rdns}>
        <p>It asks you before it installs Keystead, and before it adds an account.</p>
        {cautions.map((caution) => (
          <Warning key={caution}>{caution}</Warning>
        ))}
        {button(`Connect ${wallet.name}`, wallet, cautions.length === 0)}
      </Card>
    );
  };
  const getCard = (
    <Card id="metamask" title="MetaMask" key="metamask">
      <p>
        Not found in this browser. Keystead needs version {MINIMUM_METAMASK_VERSION} or newer. MetaMask Flask, the
        edition for developers, also installs snaps that this machine serves.
      </p>
      <div class="actions">
        <a class="button" href={FLASK} rel="noreferrer">
          Get MetaMask Flask
        </a>
      </div>
    </Card>
  );
  const simulatedCard = (
    <Card id="simulated" title="Simulated wallet" key="simulated">
      <p>
        Runs the same snap in MetaMask’s own execution environment, inside this page. It is for testing: never use real
        funds with it.
      </p>
      {button('Use the simulated wallet', simulated, false)}
    </Card>
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
          <div class="actions">
            <a class="button" href={linkTo('lost')}>
              I lost my recovery phrase
            </a>
          </div>
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
