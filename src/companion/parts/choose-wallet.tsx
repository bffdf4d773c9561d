import { type ComponentChildren, type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { type AnyWallet, connectOn, type ConnectOptions } from '../model/any-wallet';
import { useAnyWallets } from '../model/use-any-wallets';
import { useAction } from '../model/use-action';
import { ActionButton, ButtonLine } from './action-button';
import { ActionStatus } from './action-status';
import { Panel } from './panel';

/** An account of a wallet, with or without Keystead. */
export type Connected = { readonly wallet: AnyWallet; readonly account: `0x${string}` };

type Props = Pick<ConnectOptions, 'known'> & {
  /** The network that the wallet selects; the one that it has selected if undefined. */
  readonly chainId: bigint | undefined;
  readonly connected: Connected | undefined;
  /** Called with nothing if the person wants another account. */
  readonly onConnected: (connected: Connected | undefined) => void;
  /** What the wallet is for. */
  readonly children: ComponentChildren;
};

/** Chooses a wallet. Guardians can use any wallet, with or without Keystead. */
export function ChooseWallet({ chainId, known, connected, onConnected, children }: Props): VNode | null {
  const [again, setAgain] = useState(false);
  const wallets = useAnyWallets();
  const action = useAction();
  if (connected !== undefined)
    return (
      <ButtonLine
        class="quiet"
        onClick={() => {
          setAgain(true);
          onConnected(undefined);
        }}
      >
        Use another account
      </ButtonLine>
    );
  return (
    <Panel id="wallets" title="Your wallet">
      <p class="hint">{children}</p>
      {known === undefined ? null : (
        <p class="hint">
          If the wallet does not have {known.name}, it asks whether to add it, with the node at{' '}
          {new URL(known.rpcUrl).host}. A node can lie: if you know one that you trust, first add the network yourself.
        </p>
      )}
      {wallets.length === 0 ? (
        <p>No wallet was found in this browser. Open the link in a browser that has your wallet.</p>
      ) : null}
      <div class="actions">
        {wallets.map((wallet) => (
          <ActionButton
            action={action}
            key={wallet.id}
            work={async () => {
              onConnected({ wallet, account: await connectOn(wallet, chainId, { again, known }) });
            }}
          >
            Connect {wallet.name}
          </ActionButton>
        ))}
      </div>
      <ActionStatus action={action} />
    </Panel>
  );
}
