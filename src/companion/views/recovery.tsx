import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { drills, drillWords, keepDrill, lastDrill, phraseDrills } from '../model/drills';
import { passkeyTitle } from '../model/passkey-title';
import { passkeyLink, passkeys } from '../model/passkeys';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { ButtonLine } from '../parts/action-button';
import { CheckUp } from '../parts/check-up';
import { Panel } from '../parts/panel';
import { PasskeyDrill } from '../parts/passkey-drill';

/** What to do, in order, for each way of losing control. */
function WhatHappened(): VNode {
  return (
    <>
      <details>
        <summary>I lost my recovery phrase</summary>
        <ol>
          <li>
            If the old wallet still opens, nothing is lost yet: create a Safe under a new phrase and move everything
            there.
          </li>
          <li>Otherwise set up a wallet with a new phrase, and install Keystead.</li>
          <li>
            <a href={linkTo('lost')}>Find the account</a>, make the link, and send it to your guardians. Talk to each:
            they must know that it comes from you.
          </li>
          <li>When enough of them have confirmed, the delay begins. Open the link yourself to follow it.</li>
          <li>
            After the delay, open the link, finish the recovery, which costs a network fee, and add the account to this
            wallet.
          </li>
          <li>Do the same on each network on which the account holds something: each has guardians of its own.</li>
          <li>Choose guardians again if one of them is no longer right, and make a new backup.</li>
        </ol>
      </details>
      <details>
        <summary>I lost a device</summary>
        <ol>
          <li>Your phrase brings the accounts back on another device: install Keystead and find used accounts.</li>
          <li>Restore your last backup, for imported and recovered accounts and for names.</li>
          <li>If a passkey of that device owns an account, remove it from the owners.</li>
          <li>
            If someone could unlock the lost device, they could see your phrase: go on with “Someone saw my recovery
            phrase”.
          </li>
        </ol>
      </details>
      <details>
        <summary>Someone saw my recovery phrase</summary>
        <ol>
          <li>
            Be quick, and begin with what is worth most. Anyone who has the phrase can do everything that you can.
          </li>
          <li>On another device, set up a wallet with a new phrase, and create a Safe in it.</li>
          <li>Send everything from the old accounts to the new one.</li>
          <li>
            Things that cannot be sent stay with the old address: have your guardians give the old Safe to the new
            phrase. The other person can cancel that, so first move what can be moved.
          </li>
          <li>Never use the old phrase again.</li>
        </ol>
      </details>
    </>
  );
}

/** Words of a phrase; a longer one has these too. */
const WORDS = 12;

/** @returns The numbers of three words of a phrase, in order. */
function threeWords(): readonly number[] {
  const numbers = new Set<number>();
  while (numbers.size < 3) numbers.add(1 + Math.floor(Math.random() * WORDS));
  return [...numbers].sort((a, b) => a - b);
}

/** Drills of what the person keeps, and when each last went well. */
function Drills(): VNode {
  const done = drills.use();
  const ofPhrase = phraseDrills(useSession().accounts);
  const [[first, second, third]] = useState(threeWords);
  const known = passkeys.use();
  const when = (...what: readonly string[]): string => drillWords(lastDrill(done, ...what));
  return (
    <Panel id="drills" title="Drills">
      <p>
        Once a year, see whether what you keep still works. Your guardians have practice runs, on the page of each Safe.
      </p>
      {ofPhrase.length === 0 ? null : (
        <>
          <h3>Recovery phrase</h3>
          <p>
            Take the paper with your phrase, and have your wallet show the phrase. Compare words {first}, {second} and{' '}
            {third}. Never type the phrase into a page, and never tell it to anyone.
          </p>
          <ButtonLine
            onClick={() => {
              for (const what of ofPhrase) keepDrill(what);
            }}
          >
            The three words are the same
          </ButtonLine>
          <p class="hint">Your phrase: {when(...ofPhrase)}</p>
        </>
      )}
      {known.map((passkey) => (
        <div key={passkeyLink(passkey)}>
          <h3>
            {passkeyTitle(passkey)} for {passkey.name}
          </h3>
          <PasskeyDrill passkey={passkey} />
        </div>
      ))}
      <h3>Backup</h3>
      <p>
        <a href={linkTo('backup')}>Restore your last backup here</a>. It adds what is missing, and changes nothing else.
      </p>
      <p class="hint">Your backup: {when('backup')}</p>
    </Panel>
  );
}

/** How each account could be lost, and what to do when something has been. */
export function Recovery(): VNode {
  const { accounts } = useSession();
  return (
    <>
      <h1>Recovery</h1>
      <Panel id="happened" title="What has happened?">
        <WhatHappened />
      </Panel>
      <Drills />
      {accounts.map((account) => (
        <CheckUp key={account.id} account={account} />
      ))}
    </>
  );
}
