import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Address } from 'viem';
import { getBalance } from 'viem/actions';

import { type Call } from '../../core/erc4337/user-operation';
import { isSameAddress } from '../../core/eth/address';
import { whoPays } from '../../core/networks/who-pays';
import { type SafeProposal } from '../../core/schemas/safe-proposal';
import { contacts } from '../model/contacts';
import { inField, InvalidFieldError } from '../model/errors';
import { previewedProposal } from '../model/explain-proposal';
import { networkOfChain } from '../model/network';
import { nodeOf } from '../model/node';
import { prepareOperation } from '../model/passkey-operation';
import { passkeyTitle } from '../model/passkey-title';
import { type Passkey, passkeys } from '../model/passkeys';
import { readData } from '../model/read-fields';
import { resolveRecipient } from '../model/recipient';
import { modulesOf, situationOn } from '../model/recovery';
import { linkTo } from '../model/route';
import { PAYERS } from '../model/send';
import { readSafe, type SafeState } from '../model/safe';
import { type HandedOver, sendProposal, signAsPasskey } from '../model/sign-proposal';
import { type Devnet } from '../model/types';
import { formatAmount, parseAmount } from '../model/units';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { ActionStatus } from '../parts/action-status';
import { Empty } from '../parts/empty';
import { Acceptance, assertAccepted, Explained } from '../parts/explained';
import { Facts } from '../parts/facts';
import { Field, valuesOf } from '../parts/field';
import { PasskeyAlarms } from '../parts/passkey-alarms';
import { LOOK_AGAIN } from '../parts/recovery-begun';
import { SentOperation } from '../parts/sent-operation';
import { LookupStatus } from '../parts/lookup-status';
import { OpenPasskey } from './open-passkey';

type Ready = { readonly passkey: Passkey; readonly safe: SafeState };

/** Fills in one transfer or call. */
function TransferForm({
  passkey: { chain, safe: address },
  safe,
  onPrepared,
}: Ready & { readonly onPrepared: (proposal: SafeProposal) => void }): VNode {
  const known = contacts.use();
  const action = useAction('Asking the network…');
  const [error, setError] = useState<InvalidFieldError>();
  const { symbol } = networkOfChain(chain);
  const payer = whoPays({
    sending: 'passkey-operation',
    hasPaymaster: chain.paymasterUrl !== undefined,
    signatures: safe.threshold,
  });
  const read = async (values: Readonly<Record<string, string>>): Promise<SafeProposal> => {
    const place = { accounts: [], contacts: known, chain, node: nodeOf(chain) };
    const { address: to } = await inField('to', () => resolveRecipient(values.to ?? '', place, 'To'));
    const value = parseAmount(values.amount ?? '');
    if (value === undefined)
      throw new InvalidFieldError('amount', `Amount: must be an amount of ${symbol}, such as 0.1`);
    const data = await inField('data', () => readData(values.data, 'Data'));
    return prepareOperation(address, safe, [{ to, value, data }], chain);
  };
  const errorOf = (name: string): string | undefined => (error?.field === name ? error.message : undefined);
  return (
    <section class="panel" aria-labelledby="send">
      <h2 id="send">Send</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const values = valuesOf(event.currentTarget);
          setError(undefined);
          action.run(async () => {
            try {
              onPrepared(await read(values));
            } catch (thrown) {
              if (!(thrown instanceof InvalidFieldError)) throw thrown;
              setError(thrown);
            }
            return undefined;
          });
        }}
      >
        <Field label="To" name="to" placeholder="0x… or a contact" error={errorOf('to')} />
        <Field label={`Amount (${symbol})`} name="amount" numeric error={errorOf('amount')} />
        <Field label="Data" name="data" value="0x" required={false} error={errorOf('data')} />
        <p class="hint">{PAYERS[payer]}</p>
        <div class="actions">
          <button type="submit" class="main" aria-disabled={action.isBusy}>
            Review
          </button>
        </div>
        <ActionStatus action={action} />
      </form>
    </section>
  );
}

/** Shows what the passkey is about to sign, signs and sends it. */
function Review({
  passkey,
  safe,
  proposal,
  onBack,
  onSent,
}: Ready & {
  readonly proposal: SafeProposal;
  readonly onBack: () => void;
  readonly onSent: (sent: HandedOver) => void;
}): VNode {
  const action = useAction('Look for the browser’s dialog.');
  const [isAccepted, setAccepted] = useState(false);
  const { value: explanation, error } = useLookup(
    () =>
      previewedProposal(
        proposal,
        {
          threshold: safe.threshold,
          wasPrepared: true,
          accounts: [],
          chains: [passkey.chain],
          contacts: contacts.read(),
          now: BigInt(Math.floor(Date.now() / 1000)),
        },
        passkey.chain,
      ),
    [proposal],
  );
  if (explanation === undefined) return <LookupStatus error={error} />;
  const approve = async (): Promise<undefined> => {
    assertAccepted(explanation, isAccepted);
    const signed = await signAsPasskey(proposal, passkey, nodeOf(passkey.chain));
    onSent(await sendProposal(proposal, [signed], safe, passkey.chain));
    return undefined;
  };
  return (
    <section class="panel" aria-labelledby="review">
      <h2 id="review">Review</h2>
      <Explained explanation={explanation} />
      <Acceptance explanation={explanation} isAccepted={isAccepted} onChange={setAccepted} />
      <div class="actions">
        <button
          type="button"
          class="main"
          aria-disabled={action.isBusy}
          onClick={() => {
            action.run(approve);
          }}
        >
          Approve with the passkey
        </button>
        <button type="button" onClick={onBack}>
          Back
        </button>
      </div>
      <ActionStatus action={action} />
    </section>
  );
}

/** @returns Why the passkey cannot send for the account alone; undefined if it can. */
function problemOf(safe: SafeState | undefined, { signer }: Passkey): string | undefined {
  if (safe === undefined) return 'There is no account at this address on this network yet.';
  const owner = safe.kinds.find(({ address }) => isSameAddress(address, signer));
  if (owner === undefined)
    return 'This passkey is not an owner of the account: adding it was not confirmed, or it was removed.';
  if (!owner.isContract)
    return 'This passkey cannot sign here: the network has no contract that verifies its signatures.';
  return safe.threshold > 1
    ? `${safe.threshold} owners must sign for this account. Connect a wallet to propose what it sends.`
    : undefined;
}

type AccountProps = { readonly passkey: Passkey; readonly devnet: Devnet | undefined };

/** What guardians are doing with the account, before anything else; it stays while the network is asked again. */
function Alarms({
  passkey,
  devnet,
  round,
  onCall,
}: AccountProps & {
  readonly round: number;
  readonly onCall: ((call: Call) => Promise<undefined>) | undefined;
}): VNode | null {
  const { safe, chain } = passkey;
  const { value, error } = useLookup(
    () => situationOn(safe, chain, modulesOf(devnet)),
    [safe, chain.chainId, chain.rpcUrl, round],
  );
  const [shown, setShown] = useState(value);
  useEffect(() => {
    if (value !== undefined) setShown(value);
  }, [value]);
  return (
    <>
      {error === undefined ? null : (
        <p class="status error">Keystead could not check whether a recovery of this account has begun. {error}</p>
      )}
      {shown === undefined ? null : <PasskeyAlarms passkey={passkey} situation={shown} onCall={onCall} />}
    </>
  );
}

function Account({ passkey, devnet }: AccountProps): VNode {
  const { chain, safe: address } = passkey;
  const [proposal, setProposal] = useState<SafeProposal>();
  const [sent, setSent] = useState<HandedOver>();
  const [round, setRound] = useState(0);
  const look = (): void => {
    setRound((before) => before + 1);
  };
  useEffect(() => {
    const timer = setInterval(look, LOOK_AGAIN);
    return () => {
      clearInterval(timer);
    };
  }, []);
  const { name, symbol } = networkOfChain(chain);
  const { value, error } = useLookup(async () => {
    const [safe, balance] = await Promise.all([
      readSafe(nodeOf(chain), address),
      getBalance(nodeOf(chain), { address }),
    ]);
    return { safe, balance };
  }, [address, chain.rpcUrl, sent]);
  const safe = value?.safe;
  const problem = problemOf(safe, passkey);
  const canSend = safe !== undefined && problem === undefined;
  const prepare = async (call: Call): Promise<undefined> => {
    if (safe !== undefined) setProposal(await prepareOperation(address, safe, [call], chain));
    return undefined;
  };
  return (
    <>
      <Alarms passkey={passkey} devnet={devnet} round={round} onCall={canSend ? prepare : undefined} />
      {value === undefined ? (
        <LookupStatus error={error} />
      ) : (
        <>
          <section class="panel" aria-label="Account">
            <Facts
              facts={[
                ['Account', <span class="address">{address}</span>],
                ['Network', name],
                ['Node', new URL(chain.rpcUrl).host],
                ['Passkey', passkeyTitle(passkey)],
                ['Balance', `${formatAmount(value.balance)} ${symbol}`],
                ['Owners', safe && `${safe.owners.length}, of which ${safe.threshold} must sign`],
              ]}
            />
          </section>
          {problem === undefined ? null : <p class="warning">{problem}</p>}
        </>
      )}
      {sent === undefined ? null : <SentOperation chain={chain} account={address} sent={sent} onIncluded={look} />}
      {safe === undefined || !canSend ? null : proposal === undefined ? (
        <TransferForm passkey={passkey} safe={safe} onPrepared={setProposal} />
      ) : (
        <Review
          key={proposal.hash}
          passkey={passkey}
          safe={safe}
          proposal={proposal}
          onBack={() => {
            setProposal(undefined);
          }}
          onSent={(handedOver) => {
            setProposal(undefined);
            setSent(handedOver);
          }}
        />
      )}
    </>
  );
}

type Props = {
  /** Absent until the person has chosen a passkey. */
  readonly signer: string | undefined;
  readonly safe: string | undefined;
  readonly devnet: Devnet | undefined;
};

/** An account that its passkey opens: no wallet and no snap are needed. */
export function PasskeyAccount({ signer, safe = '', devnet }: Props): VNode {
  const known = passkeys.use();
  if (signer === undefined) return <OpenPasskey devnet={devnet} />;
  const passkey = known.find((each) => isSameAddress(each.signer, signer) && isSameAddress(each.safe, safe as Address));
  if (passkey === undefined)
    return (
      <>
        <h1>Open with a passkey</h1>
        <Empty title="No such passkey">
          <p>This browser does not know it. If you have the passkey, it finds its account.</p>
          <a class="button" href={linkTo('passkey')}>
            Use a passkey
          </a>
        </Empty>
      </>
    );
  return (
    <>
      <h1>{passkey.name}</h1>
      <Account passkey={passkey} devnet={devnet} />
    </>
  );
}
