import { type VNode } from 'preact';

import { type WalletAccount } from '../accounts';
import { type Dialogs } from '../dialogs';
import { type SimulatedWallet } from '../wallet';

const isImported = ({ account: { options } }: WalletAccount): boolean =>
  (options.entropy as { readonly type?: string } | undefined)?.type === 'private-key';

/** Lists what a wipe deletes, and what can restore it. */
function Losses({
  accounts,
  isSamePhrase,
  isEverything,
}: {
  readonly accounts: readonly WalletAccount[];
  readonly isSamePhrase: boolean;
  readonly isEverything: boolean;
}): VNode {
  const imported = accounts.filter(isImported).length;
  const derived = accounts.length - imported;
  return (
    <>
      <p class="text">This cannot be undone. It deletes from this browser:</p>
      <ul>
        {isSamePhrase ? null : (
          <li>The recovery phrase. Without a copy of its words, neither it nor its accounts can be restored.</li>
        )}
        {derived === 0 ? null : <li>Accounts of the recovery phrase: {derived}. Only the phrase restores them.</li>}
        {imported === 0 ? null : (
          <li>
            Imported accounts: {imported}. Only copies of their private keys restore them, or a backup together with the
            phrase.
          </li>
        )}
        <li>
          The snap with its networks, storage, settings and connections
          {isEverything
            ? ', and what this page keeps: contacts, tokens, and which accounts your passkeys belong to'
            : ''}
          .
        </li>
      </ul>
    </>
  );
}

/**
 * Asks before the wallet is wiped, and says what would be lost.
 *
 * @param phrase - The phrase to start over from; undefined for a new one.
 * @returns Whether the person confirms.
 */
export async function askToWipe(wallet: SimulatedWallet, dialogs: Dialogs, phrase?: string): Promise<boolean> {
  const isSamePhrase = phrase === (await wallet.phrase());
  return dialogs.ask({
    title: 'Wipe the simulated wallet?',
    body: (
      <Losses accounts={await wallet.accounts.list()} isSamePhrase={isSamePhrase} isEverything={phrase === undefined} />
    ),
    dismissed: false,
    choices: [
      { label: 'Cancel', value: () => false },
      { label: 'Wipe', value: () => true },
    ],
  });
}
