import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { stringToHex } from 'viem';

import { dayWords } from '../../core/decode/words/time';
import { quotable } from '../../core/decode/words/text';
import { isIn } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { networkOf } from '../../core/networks/network';
import { delayInWords, recoveryModuleAt } from '../../core/safe/recovery/modules';
import { readRecovery } from '../../core/safe/recovery/state';
import { keepPractised, nowInSeconds, practisedParts, readPractised } from '../model/drills';
import { messageOf } from '../model/errors';
import { nodeOf } from '../model/node';
import { practiceMessage } from '../model/practice';
import { modulesOf, nodeReader, readerOf } from '../model/recovery';
import { ABSENT, addressIn, numberIn, serviceIn } from '../model/recovery-proposal';
import { useSession } from '../model/session';
import { type Devnet } from '../model/types';
import { numberOf } from '../model/units';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { useNames } from '../model/use-names';
import { ActionButton } from '../parts/action-button';
import { ActionStatus } from '../parts/action-status';
import { ChooseWallet, type Connected } from '../parts/choose-wallet';
import { Empty } from '../parts/empty';
import { Facts } from '../parts/facts';
import { LookupStatus } from '../parts/lookup-status';
import { Panel } from '../parts/panel';
import { Party } from '../parts/party';
import { ShareLink } from '../parts/share-link';

type Invitation = { readonly chainId: bigint; readonly safe: Hex; readonly module: Hex };
type Props = { readonly parts: readonly string[]; readonly devnet: Devnet | undefined };

/** Signs the practice run, if the connected account is a guardian. */
function Sign({
  invitation,
  connected: { wallet, account },
  devnet,
}: {
  readonly invitation: Invitation;
  readonly connected: Connected;
  readonly devnet: Devnet | undefined;
}): VNode {
  const { safe } = invitation;
  const [reply, setReply] = useState<readonly string[]>();
  const action = useAction('Look for your wallet’s dialog.');
  const { value, error } = useLookup(async () => {
    const module = recoveryModuleAt(invitation.module, modulesOf(devnet));
    if (module === undefined) throw new Error('module: must be a recovery module that Keystead knows');
    const state = await readRecovery(safe, module, readerOf(wallet.name, wallet.request));
    return { module, isGuardian: state !== undefined && isIn(state.guardians, account) };
  }, [account]);
  if (value === undefined) return <LookupStatus error={error} />;
  if (!value.isGuardian)
    return (
      <p>{account} is not a guardian of this account. Choose the guardian’s account in your wallet, then connect it.</p>
    );
  return (
    <Panel id="practice" title="The practice run">
      <p>
        If the owner is ever locked out, you get a link to a page with a new owner and six words. You call the person,
        compare the words, and confirm if they match. When enough guardians have confirmed, a delay of{' '}
        {delayInWords(value.module.period)} begins. Never confirm for someone whose voice you do not know.
      </p>
      <p>Today you only sign a message. It confirms nothing, moves nothing, and costs nothing.</p>
      {reply === undefined ? (
        <div class="actions">
          <ActionButton
            action={action}
            class="main"
            work={async () => {
              const practice = { ...invitation, at: BigInt(nowInSeconds()) };
              const message = stringToHex(practiceMessage(practice));
              const signature = await wallet.request<Hex>('personal_sign', [message, account]);
              setReply(practisedParts({ ...practice, guardian: account, signature }));
              return 'Signed. Send the link below back to the person.';
            }}
          >
            Sign the practice run
          </ActionButton>
        </div>
      ) : null}
      <ActionStatus action={action} />
      {reply === undefined ? null : <ShareLink label="Link to send back" parts={reply} />}
    </Panel>
  );
}

const Wrong = ({ error }: { readonly error: string }): VNode => (
  <Empty heading="A guardian’s practice run" title="This is not the link to a practice run">
    <p>{error}</p>
  </Empty>
);

/** For a guardian: shows what will be asked one day, and has the key sign once. Works without Keystead. */
export function Practice({ parts, devnet }: Props): VNode {
  const [connected, setConnected] = useState<Connected>();
  const [chainId = '', safe = '', module = '', name = ABSENT, rpcUrl = ABSENT] = parts;
  let invitation: Invitation;
  let node: string | undefined;
  try {
    invitation = {
      chainId: numberIn(chainId, 'network'),
      safe: addressIn(safe, 'account'),
      module: addressIn(module, 'module'),
    };
    node = serviceIn(rpcUrl, 'node');
  } catch (error) {
    return <Wrong error={messageOf(error)} />;
  }
  const ofDevnet = devnet !== undefined && numberOf(devnet.chain.chainId) === invitation.chainId;
  const named = networkOf(invitation.chainId).name;
  const known = ofDevnet ? devnet.chain : node === undefined ? undefined : { name: named, rpcUrl: node };
  return (
    <>
      <h1>A guardian’s practice run</h1>
      <Panel id="guarded" title="The account that you guard">
        <Facts
          facts={[
            ['Account', <Party address={invitation.safe} name={undefined} />],
            ['Network', known?.name ?? named],
            ['Name in the link', name === ABSENT ? undefined : `“${quotable(name, 64)}”`],
          ]}
        />
      </Panel>
      {connected === undefined ? null : <Sign invitation={invitation} connected={connected} devnet={devnet} />}
      <ChooseWallet chainId={invitation.chainId} known={known} connected={connected} onConnected={setConnected}>
        Connect the wallet with your account as a guardian.
      </ChooseWallet>
    </>
  );
}

/** For the owner: checks what a guardian sent back, and remembers it. */
export function PractisedView({ parts }: Pick<Props, 'parts'>): VNode {
  const { chains, devnet } = useSession();
  const named = useNames();
  const { value, error } = useLookup(async () => {
    const practised = readPractised(parts);
    const chain = chains.find((one) => numberOf(one.chainId) === practised.chainId);
    const module = recoveryModuleAt(practised.module, modulesOf(devnet));
    if (chain === undefined || module === undefined) throw new Error('network and module: must be known here');
    const node = nodeOf(chain);
    const state = await readRecovery(practised.safe, module, nodeReader(node));
    await keepPractised(practised, state?.guardians ?? [], node);
    return practised;
  }, [parts.join('/')]);
  if (error !== undefined) return <Wrong error={error} />;
  if (value === undefined) return <LookupStatus error={error} />;
  const called = (address: string): string => named(address) ?? address;
  return (
    <>
      <h1>A guardian’s practice run</h1>
      <p class="status success" role="status">
        {called(value.guardian)} had the key on {dayWords(value.at)}, as a guardian of {called(value.safe)}. This
        browser remembers it for the check-up.
      </p>
    </>
  );
}
