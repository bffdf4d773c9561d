import { type VNode } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';

import { type Dialogs } from '../dialogs';
import { readPhrase } from '../phrase';
import { type SimulatedWallet } from '../wallet';
import { SnapInterface } from './snap-interface';
import { askToWipe } from './wipe-question';

type Props = { readonly wallet: SimulatedWallet; readonly dialogs: Dialogs };

const close = [{ label: 'Close', value: () => null }];

async function openHome({ wallet, dialogs }: Props): Promise<void> {
  const id = await wallet.homePage();
  await dialogs.ask({
    title: 'Keystead in the wallet',
    kind: 'page',
    body: <SnapInterface id={id} interfaces={wallet.interfaces} onInput={(...input) => wallet.input(...input)} />,
    dismissed: null,
    choices: close,
  });
  wallet.interfaces.delete(id);
}

/** Shows the recovery phrase only on request. */
function Phrase({ wallet }: { readonly wallet: SimulatedWallet }): VNode {
  const [phrase, setPhrase] = useState<string>();
  if (phrase !== undefined)
    return (
      <output class="phrase" aria-label="Recovery phrase">
        {phrase}
      </output>
    );
  return (
    <button type="button" onClick={() => void wallet.phrase().then(setPhrase)}>
      Show recovery phrase
    </button>
  );
}

/** Adds an account, for sites that do not manage accounts themselves. */
function AddAccount({ wallet }: { readonly wallet: SimulatedWallet }): VNode {
  const [error, setError] = useState<string>();
  return (
    <>
      <button
        type="button"
        onClick={() => {
          wallet.createAccount().then(
            () => {
              // Not every site reads the accounts again.
              location.reload();
            },
            ({ message }: Error) => setError(message),
          );
        }}
      >
        Add an account
      </button>
      <p class={`text ${error === undefined ? 'muted' : 'error'}`} aria-live="polite">
        {error ?? 'Adds the next account of your recovery phrase, then reloads the page.'}
      </p>
    </>
  );
}

function Recover({ onRecover }: { readonly onRecover: (phrase: string) => void }): VNode {
  const [error, setError] = useState<string>();
  return (
    <form
      class="box"
      onSubmit={(event) => {
        event.preventDefault();
        const phrase = readPhrase(String(new FormData(event.currentTarget).get('phrase')));
        if (phrase === undefined)
          setError('Not a valid recovery phrase. Enter 12 or more words of the BIP-39 list, in order.');
        else onRecover(phrase);
      }}
    >
      <label for="phrase">Recover from a phrase</label>
      <textarea
        id="phrase"
        name="phrase"
        rows={3}
        autocomplete="off"
        spellcheck={false}
        aria-describedby="phrase-help"
      />
      <p id="phrase-help" class={`text ${error === undefined ? 'muted' : 'error'}`} aria-live="polite">
        {error ?? 'Wipes the simulated wallet first. You are asked before anything is deleted.'}
      </p>
      <button type="submit" class="danger">
        Wipe and recover
      </button>
    </form>
  );
}

/** Wipes the wallet and starts over, once the person confirms. @param phrase - Defaults to a new recovery phrase. */
async function restart({ wallet, dialogs }: Props, phrase?: string): Promise<void> {
  if (!(await askToWipe(wallet, dialogs, phrase))) return;
  await wallet.wipe(phrase);
  // Started over from a phrase, the page goes on with the same contacts.
  if (phrase === undefined) localStorage.clear();
  location.hash = '';
  location.reload();
}

const openMenu = (props: Props): Promise<unknown> =>
  props.dialogs.ask({
    title: 'Simulated wallet',
    kind: 'page',
    dismissed: null,
    choices: close,
    body: (
      <>
        <p class="text">
          This is not MetaMask. It is a small wallet that runs the same snap in MetaMask’s own execution environment.
          Everything, including the recovery phrase, is stored unencrypted in this browser.
        </p>
        <h3>Accounts</h3>
        <AddAccount wallet={props.wallet} />
        <h3>Recovery phrase</h3>
        <Phrase wallet={props.wallet} />
        <h3>Start over</h3>
        <Recover onRecover={(phrase) => void restart(props, phrase)} />
        <button type="button" class="danger" onClick={() => void restart(props)}>
          Wipe everything
        </button>
      </>
    ),
  });

/** The wallet's bar on the page, in place of MetaMask's button in the browser's toolbar. */
export function WalletBar(props: Props): VNode {
  const isOpen = useRef(false);
  const { lock } = props.wallet;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => lock.watch(() => redraw(undefined)), [lock]);
  /** Opens a page only once, even if the button is pressed again while it loads. */
  const open = (page: (props: Props) => Promise<unknown>): void => {
    if (isOpen.current) return;
    isOpen.current = true;
    void page(props).finally(() => {
      isOpen.current = false;
    });
  };
  return (
    <aside class="bar" aria-label="Simulated wallet">
      <p>
        <strong>Simulated wallet:</strong> do not use real funds
      </p>
      <button type="button" class="small" onClick={() => open(openHome)}>
        Keystead
      </button>
      <button type="button" class="small" onClick={() => open(openMenu)}>
        Wallet
      </button>
      <button type="button" class="small" onClick={() => void lock.set(!lock.isLocked)}>
        {lock.isLocked ? 'Unlock' : 'Lock'}
      </button>
    </aside>
  );
}
