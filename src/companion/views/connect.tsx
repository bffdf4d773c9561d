import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { type HostWallet } from '../model/wallets';
import { useAction } from '../model/use-action';
import { ActionStatus } from '../parts/action-status';
import { Field } from '../parts/field';
import { OnboardingSteps } from '../parts/steps';

type Props = {
  readonly wallets: readonly HostWallet[];
  readonly snapId: string;
  readonly onConnect: (wallet: HostWallet, snapId: string) => Promise<void>;
};

const FLASK = 'https://docs.metamask.io/snaps/get-started/install-flask/';

/** The first screen: introduces Keystead and connects a wallet. */
export function Connect({ wallets, snapId, onConnect }: Props): VNode {
  const [chosenId, setChosenId] = useState(snapId);
  const action = useAction();
  const metamask = wallets.find(({ isSimulated }) => !isSimulated);
  const simulated = wallets.find(({ isSimulated }) => isSimulated);
  const connect = (wallet: HostWallet): void => {
    action.run(async () => {
      await onConnect(wallet, chosenId);
      return undefined;
    });
  };
  const flaskCard = (
    <section key="metamask" class="card" aria-labelledby="metamask">
      <h2 id="metamask">MetaMask Flask</h2>
      <p>
        {metamask === undefined
          ? 'Not found in this browser. Flask is MetaMask for developers, and the only edition that installs snaps served from this machine.'
          : `${metamask.name} is ready. It asks you before it installs the snap.`}
      </p>
      <div class="actions">
        {metamask === undefined ? (
          <a class="button" href={FLASK} rel="noreferrer">
            Get MetaMask Flask
          </a>
        ) : (
          <button
            type="button"
            class="main"
            aria-disabled={action.isBusy}
            onClick={() => {
              connect(metamask);
            }}
          >
            Connect MetaMask
          </button>
        )}
      </div>
    </section>
  );
  const simulatedCard = (
    <section key="simulated" class="card" aria-labelledby="simulated">
      <h2 id="simulated">Simulated wallet</h2>
      <p>
        Runs the same snap in MetaMask’s own execution environment, inside this page. It is for testing: never use real
        funds with it.
      </p>
      <div class="actions">
        <button
          type="button"
          class={metamask === undefined ? 'main' : ''}
          aria-disabled={action.isBusy}
          disabled={simulated === undefined}
          onClick={() => {
            if (simulated !== undefined) connect(simulated);
          }}
        >
          Use the simulated wallet
        </button>
      </div>
    </section>
  );
  // What can be used comes first.
  const cards = metamask === undefined ? [simulatedCard, flaskCard] : [flaskCard, simulatedCard];
  return (
    <>
      <h1>Ethereum accounts you cannot lose</h1>
      <p class="lead">
        Keystead is a MetaMask Snap. Your recovery phrase restores its accounts, including smart accounts, and they sign
        exactly what you approve.
      </p>
      <OnboardingSteps current={0} />
      <div class="cards two">{cards}</div>
      <ActionStatus action={action} />
      <details>
        <summary>Use a different snap</summary>
        <div
          class="form"
          onInput={({ target }) => {
            setChosenId((target as HTMLInputElement).value.trim());
          }}
        >
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
