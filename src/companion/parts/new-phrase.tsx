import { type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';

import { type OwnerChange } from '../../core/safe/owners/changes';
import { isIn } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { safesOfPhrase } from '../model/account-name';
import { contacts } from '../model/contacts';
import { type Passkey } from '../model/passkeys';
import { nodeOf } from '../model/node';
import { resolveRecipient } from '../model/recipient';
import { type SafeState } from '../model/safe';
import { type Session, SessionContext } from '../model/session';
import { isNetworkSetUp } from '../model/set-up';
import { type Account, type Chain } from '../model/types';
import { useNames } from '../model/use-names';
import { ActionForm } from './action-form';
import { Choice } from './choice';
import { Field } from './field';
import { MakeKey } from './make-key';
import { NetworkForm } from './network-form';
import { Panel } from './panel';
import { KeyChoice } from './recovery-choices';
import { SetUp } from './set-up';
import { Steps } from './steps';

const STEPS = [
  'Connect a wallet with a new phrase',
  'Choose the new key',
  'Approve with the passkey',
  'Checked',
] as const;

/** How far the way to a new phrase is. */
export const NewPhraseSteps = ({ current }: { readonly current: number }): VNode => (
  <Steps label="The way to a new phrase" steps={STEPS} current={current} />
);

type Props = {
  readonly passkey: Passkey;
  readonly safe: SafeState;
  /** Prepares a change for review. */
  readonly onChange: (change: OwnerChange) => Promise<undefined>;
};

/** Replaces an old key with a new one, in one operation. */
function Replace({
  safe,
  keys,
  by,
  onChange,
  children,
}: Pick<Props, 'safe' | 'onChange'> & {
  /** The keys of which one is lost. */
  readonly keys: readonly Hex[];
  /** Reads the new key from the form's values. */
  readonly by: (values: Readonly<Record<string, string>>) => Promise<Hex>;
  readonly children: ComponentChildren;
}): VNode {
  const called = useNames();
  const [only] = keys;
  return (
    <ActionForm
      busyText="Asking the network…"
      submit="Review"
      isMain
      work={async (values) => {
        const owner = await by(values);
        const old = keys.find((key) => key === values.old) ?? only;
        return onChange(
          old === undefined
            ? { kind: 'add', owner, threshold: safe.threshold }
            : { kind: 'replace', owner: old, by: owner },
        );
      }}
    >
      {children}
      {keys.length > 1 ? (
        <Choice label="Key of the lost phrase" name="old" options={keys.map((key) => [key, called(key) ?? key])} />
      ) : (
        <p class="hint">
          {only === undefined ? 'No key of an old phrase is left. The new key is added.' : `The lost key is ${only}.`}
        </p>
      )}
    </ActionForm>
  );
}

/** Makes a key of the connected wallet's phrase; first adds the network to Keystead there. */
function NewKey({ session, chain }: { readonly session: Session; readonly chain: Chain }): VNode {
  const { chains, devnet } = session;
  if (!chains.some(({ chainId }) => chainId === chain.chainId))
    return devnet?.chain.chainId === chain.chainId && !isNetworkSetUp(devnet, chains) ? (
      <SetUp />
    ) : (
      <>
        <p>Keystead in the new wallet does not have the network yet.</p>
        <NetworkForm chain={chain} />
      </>
    );
  return (
    <MakeKey chain={chain}>
      The new wallet makes the key that becomes the owner. Write its recovery phrase down first.
    </MakeKey>
  );
}

const ownerOf = ({ options }: Account): Hex => String(options.owner) as Hex;

/** The phrase is lost, and a passkey of the account is there: the account gets the key of a new phrase. */
export function NewPhrase({ passkey, safe, onChange }: Props): VNode {
  const session = useContext(SessionContext);
  const { chain } = passkey;
  const safes = safesOfPhrase(session?.accounts ?? []);
  const added = safes.filter((account) => !isIn(safe.owners, ownerOf(account)));
  // Contracts, such as those of passkeys, have no phrase.
  const keys = safe.kinds.filter(({ isContract }) => !isContract).map(({ address }) => address);
  return (
    <Panel id="new-phrase" title="A new recovery phrase">
      <p>
        The passkey owns the account, so nothing is lost. It gives the account to the key of a new phrase, and takes it
        from the key of the lost one, both in one operation. The address stays the same.
      </p>
      <NewPhraseSteps current={session === undefined ? 0 : 1} />
      {session === undefined ? (
        <>
          <p>
            Set up MetaMask with a <strong>new</strong> recovery phrase, write the phrase down, and connect that wallet
            below.
          </p>
          <details>
            <summary>The new wallet is on another device</summary>
            <p>
              Have an account of that wallet among your contacts, or copy its address from there. It must be a standard
              account, which signs with a key.
            </p>
            <Replace
              safe={safe}
              keys={keys}
              onChange={onChange}
              by={async ({ owner = '' }) => {
                const place = { accounts: [], contacts: contacts.read(), chain, node: nodeOf(chain) };
                return (await resolveRecipient(owner, place, 'New owner')).address;
              }}
            >
              <Field
                label="New owner"
                name="owner"
                placeholder="0x… or a contact"
                suggestions={contacts.read().map(({ name, address }) => ({ value: address, label: name }))}
              />
            </Replace>
          </details>
        </>
      ) : added.length < safes.length ? (
        <p class="warning">
          The connected wallet has a key of this account, so its phrase is not lost. Disconnect it, or use another
          browser profile: a key of the same phrase would be lost with it.
        </p>
      ) : added.length === 0 ? (
        <NewKey session={session} chain={chain} />
      ) : (
        <Replace
          safe={safe}
          keys={keys}
          onChange={onChange}
          by={({ key }) => Promise.resolve(ownerOf(added.find(({ id }) => id === key) ?? (added[0] as Account)))}
        >
          <KeyChoice label="New owner" safes={added} />
        </Replace>
      )}
    </Panel>
  );
}
