import { type VNode } from 'preact';

import { type WalletAccount } from '../accounts';
import { type Dialogs } from '../dialogs';
import { type SimulatedWallet } from '../wallet';

const isImported = ({ account: { options } }: WalletAccount): boolean =>
  (options.entropy as { readonly type?: string } | undefined)?.type === 'private-key';

/** What a wiped wallet does not have any more, and what brings it back. */
function Losses({
  accounts,
  isSamePhrase,
}: {
  readonly accounts: readonly WalletAccount[];
  readonly isSamePhrase: boolean;
}): VNode {
  const imported = accounts.filter(isImported).length;
  const derived = accounts.length - imported;
  return (
    <>
      <p class="text">This cannot be undone. What is in this browser is deleted:</p>
      <ul>
        {isSamePhrase ? null : (
          <li>The recovery phrase. Without a copy of its words nothing brings it back, nor what comes from it.</li>
        )}
        {derived === 0 ? null : <li>Accounts of the recovery phrase: {derived}. Only the phrase brings them back.</li>}
        {imported === 0 ? null : (
          <li>
            Imported accounts: {imported}. Only copies of their private keys bring them back, or a backup together with
            the phrase.
          </li>
        )}
        <li>The snap, with its chains, storage, settings and connections.</li>
      </ul>
    </>
  );
}

/**
 * Asks before the wallet is wiped, and says what is lost.
 *
 * @param phrase - What the wallet starts again from, if that is not a new phrase.
 */
export async function askToWipe(wallet: SimulatedWallet, dialogs: Dialogs, phrase?: string): Promise<boolean> {
  const isSamePhrase = phrase === (await wallet.phrase());
  return dialogs.ask({
    title: 'Wipe the simulated wallet?',
    body: <Losses accounts={await wallet.accounts.list()} isSamePhrase={isSamePhrase} />,
    dismissed: false,
    choices: [
      { label: 'Cancel', value: () => false },
      { label: 'Wipe', value: () => true },
    ],
  });
}
