import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { delayInWords } from '../../core/recovery/check-up';
import { safesOfPhrase, shortAddress } from '../model/account-name';
import { compareWords } from '../model/compare-words';
import { nodeOf } from '../model/node';
import { modulesOf, moduleWithGuardians, nodeReader, situationOn, standingOf } from '../model/recovery';
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

/** Stands for the module while it is looked up. */
const NOT_CHOSEN = '0x0000000000000000000000000000000000000000';

/** A link for guardians, and the words by which they know that it is the right one. */
type Made = { readonly link: string; readonly words: string };

/** Makes the link that guardians open: the old account, and a key of this wallet’s phrase as its new owner. */
function Propose(): VNode {
  const { accounts, chains, devnet } = useSession();
  const [made, setMade] = useState<Made>();
  const action = useAction('Asking the network…');
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
        const { chain: chainId = '', safe = '', module = '', key } = valuesOf(event.currentTarget);
        const owner = String(safes.find(({ id }) => id === key)?.options.owner);
        const chain = chains.find((one) => one.chainId === chainId);
        action.run(async () => {
          setMade(undefined);
          if (chain === undefined) throw new Error('Network: must be one of your networks');
          const read = (at: string) => readProposal([String(numberOf(chainId)), safe, at, '1', owner]);
          const found = async (): Promise<string> =>
            moduleWithGuardians(await situationOn(read(NOT_CHOSEN).safe, chain, modulesOf(devnet)));
          const proposal = read(module === '' ? await found() : module);
          const { state } = await standingOf(proposal, modulesOf(devnet), nodeReader(nodeOf(chain)));
          setMade({
            link: `${location.origin}${location.pathname}${linkTo(...proposalParts(proposal))}`,
            words: compareWords(proposal, state.nonce),
          });
          return undefined;
        });
      }}
    >
      <NetworkChoice />
      <Field label="Address of the account that you lost" name="safe" placeholder="0x…" />
      <Choice label="Its recovery module" name="module">
        <option value="">Find it on the network</option>
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
      {made === undefined ? null : (
        <>
          <Copyable label="Link for your guardians" value={made.link} />
          <p>
            When you call a guardian, read out these six words, which their page shows, too:{' '}
            <strong>{made.words}</strong>
          </p>
        </>
      )}
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
            If the old wallet still opens, nothing is lost yet: create a Safe under a new phrase and move everything
            there.
          </li>
          <li>Otherwise set up a wallet with a new phrase, install Keystead, and create a Safe in it.</li>
          <li>Make the link below, and send it to your guardians. Call them: they must know that it comes from you.</li>
          <li>When enough of them have confirmed, the delay begins. Open the link yourself to follow it.</li>
          <li>
            After the delay, open the link, finish the recovery, which costs a network fee, and add the account to this
            wallet.
          </li>
          <li>Do the same on each network on which the account holds something: each has guardians of its own.</li>
          <li>Choose guardians again if one of them is no longer right, and make a new backup.</li>
        </ol>
        <Propose />
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
