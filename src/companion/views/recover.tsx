import { type VNode } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { getAddress } from 'viem';

import { isSameAddress } from '../../core/eth/address';
import { quotable } from '../../core/decode/words/text';
import { beginRecovery, confirmRecovery, finalizeRecovery } from '../../core/safe/recovery/calls';
import { delayInWords } from '../../core/safe/recovery/modules';
import { assertNewOwners } from '../../core/safe/recovery/new-owners';
import { networkOf } from '../../core/networks/network';
import { keyAmong } from '../model/account-name';
import { type AnyCall, assertOn, sendAndWait } from '../model/any-wallet';
import { compareWords } from '../model/compare-words';
import { messageOf } from '../model/errors';
import { localTime } from '../model/local-time';
import {
  confirmationsNeeded,
  leftInWords,
  looksAfter,
  modulesOf,
  readerOf,
  type Standing,
  standingOf,
} from '../model/recovery';
import { type Proposal, readProposal } from '../model/recovery-proposal';
import { SessionContext } from '../model/session';
import { type Chain, type Devnet } from '../model/types';
import { counted } from '../model/units';
import { type Action, useAction } from '../model/use-action';
import { useNames } from '../model/use-names';
import { ActionStatus } from '../parts/action-status';
import { AddRecovered } from '../parts/add-recovered';
import { ButtonLine } from '../parts/action-button';
import { ChooseWallet, type Connected } from '../parts/choose-wallet';
import { addressFacts, Facts } from '../parts/facts';
import { Warning } from '../parts/icons';
import { LookupStatus } from '../parts/lookup-status';
import { Panel } from '../parts/panel';
import { Party } from '../parts/party';
import { Steps } from '../parts/steps';
import { TransactionFee } from '../parts/transaction-fee';
import { Empty } from '../parts/empty';

/** A longer name of a sender is cut. */
const MAX_NAME = 40;

type Stage = Standing['stage'];

const STEPS = ['Guardians confirm', 'The delay passes', 'Anyone finishes it'] as const;
const STEP_OF: Readonly<Record<Stage, number>> = {
  confirming: 0,
  other: 0,
  waiting: 1,
  due: 2,
  finished: STEPS.length,
};

const CONFIRMED =
  'Enough guardians have confirmed that this account goes to a new owner, with everything that it holds.';
/** What there is to say of a recovery whose guardians have confirmed. */
const SETTLED: Readonly<Partial<Record<Stage, string>>> = {
  waiting: CONFIRMED,
  due: CONFIRMED,
  finished: 'This recovery is finished: the account belongs to the new owner. Its guardians have nothing left to do.',
};

/** @returns Whether guardians can still confirm. Once the delay has begun, the contract counts no confirmations. */
const isUnderWay = (stage: Stage): boolean => stage === 'confirming' || stage === 'other';

/** @returns Whether there are guardians enough for this recovery. */
const canBeReached = (standing: Standing): boolean =>
  confirmationsNeeded(standing) <= BigInt(standing.state.guardians.length);

/** @returns What stands in the way of this recovery; undefined if nothing does. */
function obstacleOf(proposal: Proposal, standing: Standing): string | undefined {
  const { state, stage } = standing;
  try {
    if (stage !== 'finished') assertNewOwners(proposal, state, 'recovery');
  } catch (error) {
    return `This recovery could never be finished. ${messageOf(error)}`;
  }
  if (stage === 'finished') return undefined;
  if (!state.isEnabled) return 'The account has switched its recovery module off, so guardians cannot recover it now.';
  if (state.guardians.length === 0) return 'The account has no guardians.';
  if (stage !== 'other') return undefined;
  return canBeReached(standing)
    ? 'Another recovery of this account is pending. This one can replace it only with more confirmations than that one has.'
    : 'Another recovery of this account is pending, and all guardians have confirmed it. Only the owner can cancel it.';
}

/** The clock of this machine, in seconds since 1970, which moves on while it is shown. */
function useNow(): bigint {
  const read = (): bigint => BigInt(Math.floor(Date.now() / 1000));
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(read()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** What comes next, and the button for it. */
function Next({
  proposal,
  standing,
  connected,
  action,
  onDone,
}: {
  readonly proposal: Proposal;
  readonly standing: Standing;
  readonly connected: Connected;
  readonly action: Action;
  readonly onDone: () => Promise<void>;
}): VNode {
  const now = useNow();
  const session = useContext(SessionContext);
  const { module, state, confirmed, stage } = standing;
  const { safe } = proposal;
  const { executeAfter = now } = state.pending ?? {};
  const looks = looksAfter(standing, now);
  useEffect(() => {
    if (looks > 0n) void onDone();
  }, [looks]);
  const isGuardian = state.guardians.some((guardian) => isSameAddress(guardian, connected.account));
  const hasConfirmed = confirmed.some((guardian) => isSameAddress(guardian, connected.account));
  // The clock draws this anew each second, and the words take some milliseconds.
  const toCompare = useMemo(() => compareWords(proposal, state.nonce), [proposal, state.nonce]);
  const words = <p class="words">{toCompare}</p>;
  const missing = confirmationsNeeded(standing) - BigInt(confirmed.length);
  const send = (call: AnyCall, done: string) => () => {
    action.run(async () => {
      await sendAndWait(connected.wallet, connected.account, call, proposal.chainId);
      await onDone();
      return done;
    });
  };
  const button = (label: string, call: AnyCall, done: string): VNode => (
    <>
      <TransactionFee connected={connected} call={call} symbol={networkOf(proposal.chainId).symbol} />
      <div class="actions">
        <button type="button" class="main" aria-disabled={action.isBusy} onClick={send(call, done)}>
          {label}
        </button>
      </div>
    </>
  );
  if (stage === 'finished')
    return (
      <p>
        A guardian can close this page. If you are the new owner, use the account only if you know its address, and know
        that its guardians recovered it for you: anyone can make an account with your key as its owner.
      </p>
    );
  if (stage === 'waiting')
    return (
      <p role="timer">
        In {leftInWords(executeAfter - now)}, from {localTime(executeAfter)} on, anyone can finish the recovery with
        this link. You can close this page. Until someone finishes it, the present owner can cancel it.
      </p>
    );
  if (stage === 'due')
    return (
      <>
        <p>
          The delay is over. You or anyone else can finish the recovery. Until someone does, the present owner can
          cancel it.
        </p>
        {button('Finish the recovery', finalizeRecovery(module.address, safe), 'Finished: the account has new owners.')}
      </>
    );
  if (missing <= 0n)
    return (
      <>
        <p>Enough guardians have confirmed. Anyone can begin the delay.</p>
        {button('Begin the delay', beginRecovery(module.address, safe, proposal), 'The delay has begun.')}
      </>
    );
  if (!isGuardian)
    return keyAmong(proposal.newOwners, session?.accounts ?? []) ? (
      <>
        <p>
          Your guardians open this link to confirm. Read these six words out to each. There is nothing to do here yet.
        </p>
        {words}
      </>
    ) : (
      <p>
        {connected.account} is not a guardian of this account. Choose a guardian’s account in your wallet, then connect
        it.
      </p>
    );
  if (hasConfirmed)
    return (
      <p>
        You have confirmed. You can close this page. {counted(Number(missing), 'more guardian')} must confirm, with the
        same link.
      </p>
    );
  const begin = missing === 1n;
  return (
    <>
      <p>
        Meet the person, or call a number that you already have, and have them read out their six words; do not read
        these out yourself. Confirm only if all six are the same and you know the voice. If not, warn the owner.{' '}
        {begin ? 'Yours is the last confirmation that is needed: the delay begins with it.' : ''}
      </p>
      {words}
      {button(
        'Confirm as guardian',
        confirmRecovery(module.address, safe, proposal, { begin }),
        begin ? 'Confirmed. The delay has begun.' : 'Confirmed.',
      )}
    </>
  );
}

/** One proposed recovery, with a connected wallet. */
function Proposed({
  proposal,
  connected,
  devnet,
  onStage,
}: {
  readonly proposal: Proposal;
  readonly connected: Connected;
  readonly devnet: Devnet | undefined;
  readonly onStage: (stage: Stage) => void;
}): VNode {
  const [standing, setStanding] = useState<Standing>();
  const [error, setError] = useState<string>();
  const action = useAction('Approve it in your wallet, which may ask twice. Then wait a moment.', standing?.stage);
  const session = useContext(SessionContext);
  const { wallet } = connected;
  const read = async (): Promise<void> => {
    try {
      // The person may have selected another network since.
      await assertOn(wallet, proposal.chainId);
      const now = await standingOf(proposal, modulesOf(devnet), readerOf(wallet.name, wallet.request));
      setStanding(now);
      onStage(now.stage);
      setError(undefined);
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  useEffect(() => void read(), [connected.account]);
  if (standing === undefined) return <LookupStatus error={error}>Reading the account…</LookupStatus>;
  const { state, confirmed, stage, module } = standing;
  const obstacle = obstacleOf(proposal, standing);
  return (
    <Panel id="progress" title="Progress">
      <Steps label="Recovery" steps={STEPS} current={STEP_OF[stage]} />
      {stage === 'finished' ? null : (
        <Facts
          facts={[
            ...(isUnderWay(stage)
              ? ([
                  ['Guardians needed', `${confirmationsNeeded(standing)} of ${state.guardians.length}`],
                  ['Confirmed', confirmed.length === 0 ? 'None yet' : undefined],
                  ...addressFacts('Confirmed by', confirmed),
                ] as const)
              : []),
            ...addressFacts('Present owner', state.owners.map(getAddress)),
            ['Delay', delayInWords(module.period)],
          ]}
        />
      )}
      {obstacle === undefined ? null : <Warning>{obstacle}</Warning>}
      {obstacle === undefined || (stage === 'other' && canBeReached(standing)) ? (
        <Next proposal={proposal} standing={standing} connected={connected} action={action} onDone={read} />
      ) : null}
      <ActionStatus action={action} />
      {error === undefined ? null : <p class="status error">{error}</p>}
      {stage !== 'finished' ? (
        <ButtonLine onClick={() => void read()}>Look again</ButtonLine>
      ) : session === undefined ? null : (
        <AddRecovered proposal={proposal} />
      )}
    </Panel>
  );
}

type Props = { readonly parts: readonly string[]; readonly devnet: Devnet | undefined };

/** A proposed recovery: guardians confirm it, and anyone follows it and finishes it. Works without Keystead. */
export function Recover({ parts, devnet }: Props): VNode {
  const [connected, setConnected] = useState<Connected>();
  const [stage, setStage] = useState<Stage>();
  const session = useContext(SessionContext);
  const called = useNames();
  let proposal: ReturnType<typeof readProposal>;
  try {
    proposal = readProposal(parts);
  } catch (error) {
    return (
      <Empty heading="Recover an account" title="This is not the link to a recovery">
        <p>{messageOf(error)}</p>
      </Empty>
    );
  }
  const { chainId, safe, newOwners, newThreshold, sender, rpcUrl } = proposal;
  const isIt = (chain: Chain | undefined): boolean => chain?.chainId === `eip155:${chainId}`;
  const ofDevnet = isIt(devnet?.chain) ? devnet?.chain : undefined;
  const { name } = networkOf(chainId, ofDevnet ?? session?.chains.find(isIt));
  const known = ofDevnet ?? (rpcUrl === undefined ? undefined : { name, rpcUrl });
  return (
    <>
      <h1>Recover an account</h1>
      <Panel id="proposed" title={`The ${stage === 'finished' ? 'finished' : 'proposed'} recovery`}>
        <p>
          {(stage && SETTLED[stage]) ??
            'This link asks the guardians of this account to give it to a new owner, with everything that it holds. If enough of them confirm, its present owners lose it after a delay, unless they cancel.'}
        </p>
        <Facts
          facts={[
            ['Account', <Party address={safe} name={called(safe)} />],
            ['Network', name],
            ...addressFacts('New owner', newOwners),
            ['New owners who must sign', newOwners.length > 1 ? String(newThreshold) : undefined],
            ['Asked by', sender === undefined ? undefined : `“${quotable(sender, MAX_NAME)}”`],
          ]}
        />
        {sender === undefined || (stage !== undefined && !isUnderWay(stage)) ? null : (
          <p class="hint">Anyone can write any name into a link, so call the person.</p>
        )}
      </Panel>
      {connected === undefined ? null : (
        <Proposed proposal={proposal} connected={connected} devnet={devnet} onStage={setStage} />
      )}
      <ChooseWallet chainId={chainId} known={known} connected={connected} onConnected={setConnected}>
        If you are a guardian, connect the wallet that has your account. Connecting costs nothing. To follow or finish
        the recovery, any account will do.
      </ChooseWallet>
    </>
  );
}
