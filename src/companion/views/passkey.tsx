import { type VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { type OwnerChange, ownerChangeCall } from '../../core/safe/owners/changes';
import { type Call } from '../../core/erc4337/user-operation';
import { type SafeProposal } from '../../core/schemas/safe-proposal';
import { networkOfChain } from '../model/network';
import { nodeOf } from '../model/node';
import { accountOf, problemOf, proposalFor } from '../model/passkey-account';
import { prepareOperation } from '../model/passkey-operation';
import { passkeyTitle } from '../model/passkey-title';
import { type Passkey, passkeyAt, passkeyLink, passkeys } from '../model/passkeys';
import { type Recipient } from '../model/recipient';
import { modulesOf } from '../model/recovery';
import { linkTo } from '../model/route';
import { emptyRow, type Row } from '../model/send';
import { readSafe, type SafeState } from '../model/safe';
import { type Viewing, ViewingContext } from '../model/session';
import { type HandedOver } from '../model/sign-proposal';
import { type Account, type Devnet } from '../model/types';
import { useLastLookup } from '../model/use-lookup';
import { useRounds } from '../model/use-rounds';
import { AddToken } from '../parts/add-token';
import { Balances } from '../parts/balances';
import { Empty } from '../parts/empty';
import { Facts } from '../parts/facts';
import { LookupStatus } from '../parts/lookup-status';
import { OpenProposal } from '../parts/open-proposal';
import { NewPhrase } from '../parts/new-phrase';
import { OwnersNow } from '../parts/owners-now';
import { PasskeyAlarms } from '../parts/passkey-alarms';
import { PasskeyDrill } from '../parts/passkey-drill';
import { PasskeyHistory } from '../parts/passkey-history';
import { PasskeyOwners } from '../parts/passkey-owners';
import { PasskeyReview } from '../parts/passkey-review';
import { ReceiveButton } from '../parts/receive-button';
import { SaveContact } from '../parts/save-contact';
import { SendForm } from '../parts/send-form';
import { SentOperation } from '../parts/sent-operation';
import { ContactBook } from './contacts';
import { OpenPasskey } from './open-passkey';

const SECTIONS = [
  ['send', 'Send'],
  ['activity', 'Activity'],
  ['contacts', 'Contacts'],
  ['owners', 'Owners'],
] as const;

/** What the passkey is asked to sign, and what comes of it. */
type Asked = {
  readonly calls: number;
  /** Another owner prepared it. */
  readonly isForeign?: true;
  readonly change?: OwnerChange;
  /** The recipients that may become contacts afterwards. */
  readonly recipients?: readonly Recipient[];
};

/** The parts of the page that the person chooses from. */
function Chosen({
  section,
  passkey,
  account,
  safe,
  round,
  rows,
  onRows,
  ask,
}: {
  readonly section: string;
  readonly passkey: Passkey;
  readonly account: Account;
  readonly safe: SafeState | undefined;
  readonly round: number;
  readonly rows: readonly Row[];
  readonly onRows: (rows: readonly Row[]) => void;
  /** Prepares calls for review; absent if the passkey cannot sign for the account. */
  readonly ask: ((calls: readonly Call[], asked?: Omit<Asked, 'calls'>) => Promise<undefined>) | undefined;
}): VNode | null {
  const { chain } = passkey;
  if (section === 'activity') return <PasskeyHistory account={account} chain={chain} round={round} />;
  if (section === 'contacts') return <ContactBook />;
  if (safe === undefined) return null;
  const change =
    ask &&
    ((wanted: OwnerChange, first?: Call): Promise<undefined> =>
      ask([...(first === undefined ? [] : [first]), ownerChangeCall(passkey.safe, safe, wanted)], { change: wanted }));
  if (section === 'owners') return <PasskeyOwners passkey={passkey} safe={safe} onChange={change} />;
  if (ask === undefined || change === undefined) return null;
  if (section === 'new-phrase') return <NewPhrase passkey={passkey} safe={safe} onChange={change} />;
  const able = [{ account, signatures: safe.threshold }];
  return (
    <SendForm
      chain={chain}
      able={able}
      hidden={0}
      from={account.address}
      rows={rows}
      onFrom={() => undefined}
      onRows={onRows}
      onReview={async (transfers) => {
        const recipients = transfers.map(({ recipient }) => recipient);
        await ask(
          transfers.map(({ call }) => call),
          { recipients },
        );
      }}
    />
  );
}

type AccountProps = { readonly passkey: Passkey; readonly section: string; readonly devnet: Devnet | undefined };

function PasskeyPage({ passkey, section, devnet }: AccountProps): VNode {
  const { chain, safe: address, signer } = passkey;
  const account = useMemo(() => accountOf(passkey), [address, passkey.name, signer, chain.chainId]);
  const [rows, setRows] = useState<readonly Row[]>([emptyRow(0)]);
  const [asked, setAsked] = useState<Asked & { readonly proposal: SafeProposal }>();
  const [sent, setSent] = useState<HandedOver & Asked>();
  const [round, look] = useRounds();
  const lookup = useLastLookup(
    () => readSafe(nodeOf(chain), address, modulesOf(devnet)),
    [address, chain.rpcUrl, round],
  );
  const { value: safe } = lookup;
  const isKnown = 'value' in lookup;
  const problem = problemOf(safe, passkey);
  const canSend = safe !== undefined && problem === undefined;
  const ask = async (calls: readonly Call[], more: Omit<Asked, 'calls'> = {}): Promise<undefined> => {
    if (safe === undefined) return undefined;
    const proposal = await prepareOperation(address, safe, calls, chain);
    setAsked({ ...more, calls: calls.length, proposal });
  };
  return (
    <>
      <PasskeyAlarms
        passkey={passkey}
        devnet={devnet}
        round={round}
        onCall={canSend ? (call) => ask([call]) : undefined}
      />
      <section class="panel" aria-label="Account">
        <Facts
          facts={[
            ['Account', <span class="address">{address}</span>],
            ['Network', networkOfChain(chain).name],
            ['Node', new URL(chain.rpcUrl).host],
            ['Owners', safe && `${safe.owners.length}, of which ${safe.threshold} must sign`],
            ['Passkey', passkeyTitle(passkey)],
          ]}
        />
        <PasskeyDrill passkey={passkey} />
        <h2>Balances</h2>
        <Balances account={account} chains={[chain]} />
        <div class="actions">
          <ReceiveButton account={account} />
        </div>
        <details>
          <summary>Add a token</summary>
          <AddToken chain={chain} onAdded={() => undefined} />
        </details>
      </section>
      <nav aria-label="Parts of the page">
        <ul class="pages">
          {SECTIONS.map(([part, label]) => (
            <li key={part}>
              <a href={passkeyLink(passkey, part)} {...(part === section && { 'aria-current': 'page' as const })}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {isKnown ? null : <LookupStatus error={lookup.error} />}
      {!isKnown || problem === undefined ? null : <p class="warning">{problem}</p>}
      {sent === undefined ? null : (
        <>
          <SentOperation key={sent.hash} chain={chain} account={address} sent={sent} onIncluded={look}>
            {sent.recipients === undefined ? null : <SaveContact recipients={sent.recipients} />}
          </SentOperation>
          {sent.change === undefined || safe === undefined ? null : (
            <OwnersNow change={sent.change} safe={safe} passkey={passkey} isNewPhrase={section === 'new-phrase'} />
          )}
        </>
      )}
      {asked !== undefined && safe !== undefined ? (
        <PasskeyReview
          key={asked.proposal.hash}
          passkey={passkey}
          safe={safe}
          proposal={asked.proposal}
          wasPrepared={asked.isForeign !== true}
          calls={asked.calls}
          onBack={() => setAsked(undefined)}
          onSent={(handedOver) => {
            const { proposal: _signed, ...more } = asked;
            setAsked(undefined);
            setSent({ ...handedOver, ...more });
            setRows([emptyRow(0)]);
          }}
        />
      ) : sent?.change !== undefined && section === 'new-phrase' ? null : (
        <>
          {canSend && safe.threshold > 1 && section === 'send' ? (
            <>
              <p class="hint">
                This account takes {safe.threshold} signatures: sign first, then send the link to another owner.
              </p>
              <OpenProposal
                onOpen={(opened) => {
                  setAsked({ ...proposalFor(passkey, opened), isForeign: true });
                }}
              />
            </>
          ) : null}
          <Chosen
            section={section}
            passkey={passkey}
            account={account}
            safe={safe}
            round={round}
            rows={rows}
            onRows={setRows}
            ask={canSend ? ask : undefined}
          />
        </>
      )}
    </>
  );
}

const NO_TOKENS: Viewing['tokens'] = [];

type Props = {
  /** The signer, the account and the part of the page; nothing until the person has chosen a passkey. */
  readonly parts: readonly string[];
  readonly devnet: Devnet | undefined;
};

/** An account that its passkey opens: no wallet and no snap are needed. */
export function PasskeyAccount({ parts, devnet }: Props): VNode {
  const [signer, , section = 'send'] = parts;
  const passkey = passkeyAt(parts, passkeys.use());
  const viewing = useMemo(
    (): Viewing => ({
      accounts: passkey === undefined ? [] : [accountOf(passkey)],
      chains: passkey === undefined ? [] : [passkey.chain],
      tokens: NO_TOKENS,
      devnet,
    }),
    [passkey, devnet],
  );
  if (signer === undefined || signer === 'lost')
    return <OpenPasskey key={parts.join('/')} devnet={devnet} sheet={parts.slice(1)} />;
  if (passkey === undefined)
    return (
      <Empty heading="Open with a passkey" title="No such passkey" next={['Use a passkey', linkTo('passkey')]}>
        <p>This browser does not know it. If you have the passkey, it finds its account.</p>
      </Empty>
    );
  return (
    <ViewingContext.Provider value={viewing}>
      <h1>{passkey.name}</h1>
      <PasskeyPage passkey={passkey} section={section} devnet={devnet} />
    </ViewingContext.Provider>
  );
}
