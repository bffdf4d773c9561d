import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { delayInWords } from '../../core/recovery/check-up';
import { safesOfPhrase, shortAddress } from '../model/account-name';
import { modulesOf } from '../model/recovery';
import { proposalParts, readProposal } from '../model/recovery-proposal';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { numberOf } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionStatus } from '../parts/action-status';
import { CheckUp } from '../parts/check-up';
import { Copyable } from '../parts/copyable';
import { Choice, Field, valuesOf } from '../parts/field';
import { KeyChoice, NetworkChoice } from '../parts/recovery-choices';

/** Makes the link that guardians open: the old account, and a key of this wallet’s phrase as its new owner. */
function Propose(): VNode {
  const { accounts, devnet } = useSession();
  const [link, setLink] = useState<string>();
  const action = useAction();
  const safes = safesOfPhrase(accounts);
  if (safes.length === 0)
    return (
      <p>
        First <a href={linkTo('add-account')}>create a Safe</a> in this wallet. Its key becomes the new owner.
      </p>
    );
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const { chain = '', safe = '', module = '', key } = valuesOf(event.currentTarget);
        const owner = safes.find(({ id }) => id === key)?.options.owner;
        action.run(() => {
          const proposal = readProposal([String(numberOf(chain)), safe, module, '1', String(owner)]);
          setLink(`${location.origin}${location.pathname}${linkTo(...proposalParts(proposal))}`);
          return Promise.resolve(undefined);
        });
      }}
    >
      <NetworkChoice />
      <Field label="Address of the account that you lost" name="safe" placeholder="0x…" />
      <Choice label="Its recovery module" name="module">
        {modulesOf(devnet).map((module) => (
          <option key={module.address} value={module.address}>
            {module.name} {module.version}, {delayInWords(module.period)} ({shortAddress(module.address)})
          </option>
        ))}
      </Choice>
      <KeyChoice label="New owner" safes={safes} />
      <div class="actions">
        <button type="submit" class="main">
          Make the link for guardians
        </button>
      </div>
      <ActionStatus action={action} />
      {link === undefined ? null : <Copyable label="Link for your guardians" value={link} />}
    </form>
  );
}

/** What to do, in order, for each way of losing control. */
function WhatHappened(): VNode {
  return (
    <>
      <details>
        <summary>I lost my recovery phrase</summary>
        <ol>
          <li>
            If this wallet still opens, nothing is lost yet: create a Safe under a new phrase and move everything there.
          </li>
          <li>Otherwise set up a wallet with a new phrase, install Keystead, and create a Safe in it.</li>
          <li>Make the link below, and send it to your guardians. Call them: they must know that it comes from you.</li>
          <li>When enough of them have confirmed, the delay begins. Open the link yourself to follow it.</li>
          <li>After the delay, open the link, finish the recovery, and add the account to this wallet.</li>
          <li>Choose guardians again if one of them is no longer right, and make a new backup.</li>
        </ol>
        <Propose />
      </details>
      <details>
        <summary>I lost a device</summary>
        <ol>
          <li>Your phrase brings the accounts back on another device: install Keystead and find used accounts.</li>
          <li>Restore your last backup, for imported accounts and names.</li>
          <li>
            If somebody could unlock the lost device, treat your phrase as seen: go on with “My phrase was seen by
            somebody”.
          </li>
        </ol>
      </details>
      <details>
        <summary>My phrase was seen by somebody</summary>
        <ol>
          <li>Be quick, and begin with what is worth most. Whoever has the phrase can do everything that you can.</li>
          <li>On another device, set up a wallet with a new phrase, and create a Safe in it.</li>
          <li>Send everything from the old accounts to the new one.</li>
          <li>
            What cannot be sent stays with the old address: have your guardians give the old Safe to the new phrase. The
            other person can cancel that, so it is no replacement for moving what can be moved.
          </li>
          <li>Never use the old phrase again.</li>
        </ol>
      </details>
    </>
  );
}

/** How each account could be lost, and what to do when something has been. */
export function Recovery(): VNode {
  const { accounts } = useSession();
  return (
    <>
      <h1>Recovery</h1>
      <section class="panel" aria-labelledby="happened">
        <h2 id="happened">What has happened?</h2>
        <WhatHappened />
      </section>
      {accounts.map((account) => (
        <CheckUp key={account.id} account={account} />
      ))}
    </>
  );
}
