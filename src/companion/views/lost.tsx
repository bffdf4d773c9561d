import { type VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';

import { isIn, isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { networkOf } from '../../core/networks/network';
import { delayInWords } from '../../core/safe/recovery/modules';
import { type Recoverable } from '../../core/safe/recovery/situation';
import { safesOfPhrase } from '../model/account-name';
import { compareWords } from '../model/compare-words';
import { contacts, keepContacts } from '../model/contacts';
import { nowInSeconds } from '../model/drills';
import { messageOf } from '../model/errors';
import { localTime } from '../model/local-time';
import { lostAccount, modulesOf } from '../model/recovery';
import { ABSENT, type Proposal, proposalParts, readProposal, shareable } from '../model/recovery-proposal';
import { linkTo } from '../model/route';
import { SessionContext, useSession } from '../model/session';
import { areOthers, contactsOn, lostSheet, readSheet, saidName, type Sheet, sheetParts } from '../model/sheet';
import { type Chain, type Devnet } from '../model/types';
import { numberOf } from '../model/units';
import { useLookup } from '../model/use-lookup';
import { useNames } from '../model/use-names';
import { ActionLine } from '../parts/action-button';
import { ActionForm } from '../parts/action-form';
import { Empty } from '../parts/empty';
import { Facts } from '../parts/facts';
import { Field } from '../parts/field';
import { FindLost } from '../parts/find-lost';
import { Warning } from '../parts/icons';
import { LookupStatus } from '../parts/lookup-status';
import { MakeKey } from '../parts/make-key';
import { NetworkForm } from '../parts/network-form';
import { Panel } from '../parts/panel';
import { Party } from '../parts/party';
import { KeyChoice } from '../parts/recovery-choices';
import { SetUp } from '../parts/set-up';
import { ShareLink } from '../parts/share-link';

type OnChain = { readonly sheet: Sheet; readonly chain: Chain };

/** Asks the guardians: a key of this wallet’s phrase becomes the owner. */
function AskGuardians({ sheet, chain, found: { module, state } }: OnChain & { readonly found: Recoverable }): VNode {
  const { accounts } = useSession();
  const [asked, setAsked] = useState<Proposal>();
  const safes = safesOfPhrase(accounts);
  if (safes.length === 0)
    return (
      <MakeKey chain={chain}>
        The account needs a new owner: a key of the recovery phrase of this wallet. Write that phrase down first.
      </MakeKey>
    );
  return (
    <>
      <ActionForm
        submit="Make the link for guardians"
        isMain
        work={async ({ key, sender = '' }) => {
          const owner = String(safes.find(({ id }) => id === key)?.options.owner);
          const from = [sender === '' ? ABSENT : sender, shareable(chain.rpcUrl) ?? ABSENT];
          setAsked(readProposal([String(sheet.chainId), sheet.safe, module.address, '1', owner, ...from]));
          lostSheet.write(sheetParts(sheet));
        }}
      >
        <KeyChoice label="New owner" safes={safes} />
        <Field
          label="Your name (optional)"
          name="sender"
          required={false}
          hint="The guardians’ page shows it. They must still talk to you."
        />
      </ActionForm>
      {asked === undefined ? null : (
        <>
          <ShareLink label="Link for your guardians" parts={proposalParts(asked)} />
          <p>
            Send the link to your guardians, and talk to each, by phone or in person: read out these six words, which
            their page shows, too:
          </p>
          <p class="words">{compareWords(asked, state.nonce)}</p>
          <p>
            Keep the link, too. Open it here to follow the recovery, finish it after the delay, and add the account.
            Guardians pay the network fee of confirming, and whoever finishes the recovery pays that of finishing.
          </p>
        </>
      )}
    </>
  );
}

/** The names on a sheet that this wallet does not have as contacts. */
function Names({ sheet, guardians }: { readonly sheet: Sheet; readonly guardians: readonly Hex[] }): VNode | null {
  const { client } = useSession();
  const known = contacts.use();
  const missing = contactsOn(sheet, guardians, known);
  if (missing.length === 0) return null;
  return (
    <>
      <ActionLine
        work={async () => {
          await keepContacts(client, missing);
        }}
      >
        Save the names of the guardians
      </ActionLine>
      <p class="hint">Anyone can write names into a link: save them only if the sheet is yours.</p>
    </>
  );
}

/** What the network says of a lost account, and what comes next. */
function Account({ sheet, chain }: OnChain): VNode {
  const { accounts, devnet } = useSession();
  const named = useNames();
  const { value, error } = useLookup(
    () => lostAccount(sheet, chain, modulesOf(devnet)),
    [sheet.safe, sheet.module, chain.rpcUrl, chain.secondRpcUrl],
  );
  if (value === undefined) return <LookupStatus error={error} />;
  const { module, state, hosts } = value;
  const called = (address: string) =>
    named(address) ?? saidName(sheet.guardians.find((one) => isSameAddress(one.address, address))?.name);
  const own = safesOfPhrase(accounts).map(({ options }) => String(options.owner));
  const to = state.pending ?? { newOwners: state.owners, newThreshold: state.ownersNeeded };
  return (
    <>
      <Facts
        facts={[
          ...state.guardians.map(
            (guardian, at) => [`Guardian ${at + 1}`, <Party address={guardian} name={called(guardian)} />] as const,
          ),
          ['Guardians needed', `${state.threshold} of ${state.guardians.length}`],
          ['Delay', delayInWords(module.period)],
          // The newest block may be old.
          ['If they confirm now', `the delay is over at ${localTime(BigInt(nowInSeconds()) + module.period)}`],
          [hosts.length > 1 ? 'Say the nodes at' : 'Says the node at', hosts.join(', ')],
        ]}
      />
      {areOthers(sheet, state.guardians) ? (
        <Warning>
          The sheet names other guardians than the node does. Either they were changed after the sheet was made, or
          somebody has changed the sheet, or the node lies. Call a guardian before you go on.
        </Warning>
      ) : null}
      <Names sheet={sheet} guardians={state.guardians} />
      {to.newOwners.every((one) => isIn(own, one)) ? (
        <p>
          {state.pending === undefined
            ? 'A key of this wallet is its owner.'
            : 'A recovery to a key of this wallet has begun.'}{' '}
          <a
            href={linkTo(...proposalParts({ chainId: sheet.chainId, safe: sheet.safe, module: module.address, ...to }))}
          >
            {state.pending === undefined ? 'Add the account to this wallet' : 'Follow it'}
          </a>
        </p>
      ) : (
        <>
          {state.pending === undefined ? null : (
            <Warning>
              A recovery of this account has begun already. Yours needs more confirmations than that one has.
            </Warning>
          )}
          <AskGuardians sheet={sheet} chain={chain} found={value} />
        </>
      )}
    </>
  );
}

/** With a connected wallet: its network, then the account. */
function Connected({ sheet }: { readonly sheet: Sheet }): VNode {
  const { chains, devnet } = useSession();
  const chain = chains.find(({ chainId }) => numberOf(chainId) === sheet.chainId);
  if (chain !== undefined) return <Account sheet={sheet} chain={chain} />;
  const { chainId, rpcUrl = '', bundlerUrl } = sheet;
  if (rpcUrl === '' && devnet !== undefined && numberOf(devnet.chain.chainId) === chainId) return <SetUp />;
  return (
    <>
      <p>
        Keystead does not have the network yet.{' '}
        {rpcUrl === ''
          ? 'Enter the URL of a node.'
          : `The sheet names the node at ${new URL(rpcUrl).host}. A node can lie about an account: use it only if the sheet is yours.`}
      </p>
      <NetworkForm chain={{ chainId: `eip155:${chainId}`, rpcUrl, ...(bundlerUrl !== undefined && { bundlerUrl }) }} />
    </>
  );
}

type Props = { readonly parts: readonly string[]; readonly devnet: Devnet | undefined };

/** For someone who has lost the recovery phrase: finds the account, and guides to the link for its guardians. */
export function Lost({ parts, devnet }: Props): VNode {
  const session = useContext(SessionContext);
  if (parts.length === 0)
    return (
      <>
        <h1>I lost my recovery phrase</h1>
        <p class="lead">
          If the old wallet still opens, nothing is lost yet: create a Safe under a new phrase and move everything
          there. Otherwise your guardians can give the account to a new phrase.
        </p>
        <FindLost devnet={devnet} />
      </>
    );
  let sheet: Sheet;
  try {
    sheet = readSheet(parts);
  } catch (error) {
    return (
      <Empty heading="I lost my recovery phrase" title="This is not the link to an account">
        <p>{messageOf(error)}</p>
      </Empty>
    );
  }
  const ofDevnet = devnet !== undefined && numberOf(devnet.chain.chainId) === sheet.chainId;
  return (
    <>
      <h1>I lost my recovery phrase</h1>
      <Panel id="lost" title="The account">
        <Facts
          facts={[
            ['Account', <Party address={sheet.safe} name={saidName(sheet.name)} />],
            ['Network', ofDevnet ? devnet.chain.name : networkOf(sheet.chainId).name],
          ]}
        />
        <p class="hint">Compare the address with any place where you wrote it down. Anyone can make such a link.</p>
        {session === undefined ? (
          <p>
            Next, connect a wallet with a <strong>new</strong> recovery phrase below. A key of it becomes the owner.
          </p>
        ) : (
          <Connected sheet={sheet} />
        )}
        <p>
          Does a passkey of yours own it? <a href={linkTo('passkey', 'lost', ...parts)}>Open it with the passkey</a>
        </p>
      </Panel>
    </>
  );
}
