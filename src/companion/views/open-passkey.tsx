import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { getAddress, type Hex, keccak256 } from 'viem';
import { ActionButton, ButtonLine } from '../parts/action-button';
import { Panel } from '../parts/panel';
import { BundlerField, NodeField, UrlField } from '../parts/url-field';

import { isSameAddress } from '../../core/eth/address';
import { contacts } from '../model/contacts';
import { askForPasskey, type ShownPasskey } from '../model/credential';
import { keepDrill, passkeyDrill } from '../model/drills';
import { messageOf } from '../model/errors';
import { accountsOfPasskey, chainOfForm, type Finds, type FoundAccount, type Search } from '../model/find-passkey';
import { networkOfChain } from '../model/network';
import { chainIdIn, NETWORK_CHOICES } from '../model/network-settings';
import { newText } from '../model/passkey-owner';
import { passkeyTitle } from '../model/passkey-title';
import { keepPasskey, passkeyLink, passkeys } from '../model/passkeys';
import { readAddress } from '../model/read-fields';
import { modulesOf } from '../model/recovery';
import { linkTo } from '../model/route';
import { powersOf } from '../model/safe';
import { readSheet, type Sheet } from '../model/sheet';
import { type Chain, type Devnet } from '../model/types';
import { counted, numberOf } from '../model/units';
import { type Action, useAction } from '../model/use-action';
import { ActionStatus } from '../parts/action-status';
import { Facts } from '../parts/facts';
import { Field, valuesOf } from '../parts/field';
import { PasskeyChoice } from '../parts/passkey-choice';
import { Empty } from '../parts/empty';

/** A passkey, and what it signed. */
type Signed = { readonly shown: ShownPasskey; readonly data: Hex };

/** The account that is looked for: the one that the passkey says it was made for, or one that the person knows. */
type Wanted = Pick<Sheet, 'chainId' | 'safe'> & Partial<Sheet>;

/** The network of an account, of those that this browser knows a node of. */
const chainOf = (wanted: Wanted | undefined, chains: readonly Chain[]): Chain | undefined =>
  wanted === undefined ? chains[0] : chains.find(({ chainId }) => numberOf(chainId) === wanted.chainId);

/** Asks for the account, its network, and a node that knows it. */
function SearchForm({
  wanted,
  chains,
  action,
  onSearch,
}: {
  /** Undefined if neither the passkey nor the person has said it. */
  readonly wanted: Wanted | undefined;
  readonly chains: readonly Chain[];
  readonly action: Action;
  readonly onSearch: (at: Pick<Search, 'chain' | 'safe'>) => Promise<undefined>;
}): VNode {
  const known = chainOf(wanted, chains);
  const { rpcUrl, bundlerUrl } = known ?? wanted ?? {};
  const paymasterUrl = known?.paymasterUrl;
  const chainId = wanted?.chainId ?? (known && numberOf(known.chainId));
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const values = valuesOf(event.currentTarget);
        action.run(async () =>
          onSearch({
            chain: chainOfForm(chainIdIn(values.network ?? ''), values, chains),
            safe: values.safe ? readAddress(values.safe, 'Account') : undefined,
          }),
        );
      }}
    >
      <Field
        label="Network name or chain ID"
        name="network"
        value={chainId?.toString()}
        suggestions={NETWORK_CHOICES}
      />
      <Field
        label="Account, if you know its address"
        name="safe"
        required={false}
        value={wanted && getAddress(wanted.safe)}
        placeholder="0x…"
        suggestions={contacts.read().map(({ name, address }) => ({ value: address, label: name }))}
        hint="Empty: the page looks for every account of the passkey in the log of the network"
      />
      <NodeField value={rpcUrl} />
      <BundlerField value={bundlerUrl} hint="Sends what you sign. You can look at the account without one" />
      <UrlField
        label="Paymaster URL"
        name="paymasterUrl"
        value={paymasterUrl}
        hint="Pays the network fee. Without one, the account pays"
      />
      <div class="actions">
        <button type="submit" class="main" aria-disabled={action.isBusy}>
          Look for the account
        </button>
      </div>
    </form>
  );
}

/** Says what is known of the account before it is looked for. */
function Where({ shown, wanted }: { readonly shown: ShownPasskey; readonly wanted: Wanted | undefined }): VNode {
  if (wanted === undefined)
    return (
      <p>
        This passkey does not say which account it belongs to. Keystead can look for the account in the log of its
        network.
      </p>
    );
  const { name } = networkOfChain({ chainId: `eip155:${wanted.chainId}`, rpcUrl: '' });
  return (
    <p>
      {shown.home !== undefined && isSameAddress(shown.home.safe, wanted.safe)
        ? 'This passkey says that it was made for the Safe '
        : 'You look for the Safe '}
      <span class="address">{getAddress(wanted.safe)}</span> on {name}. Keystead asks a node of that network whether it
      owns the account.
      {wanted.rpcUrl === undefined
        ? ''
        : ` The link names the node at ${new URL(wanted.rpcUrl).host}. A node can lie about an account: use it only if the sheet is yours.`}
    </p>
  );
}

/** An account of the passkey, and how to check that it is one's own. */
const FoundItem = ({ found: { passkey, safe } }: { readonly found: FoundAccount }): VNode => (
  <li class="item">
    <Facts
      facts={[
        ['Account', <span class="address">{passkey.safe}</span>],
        ['Network', networkOfChain(passkey.chain).name],
        ['Owners', `${safe.owners.length}, of which ${safe.threshold} must sign`],
        ['Node', new URL(passkey.chain.rpcUrl).host],
        ['Passkey', passkeyTitle(passkey)],
      ]}
    />
    {powersOf(safe)
      .filter(({ isUnknown }) => isUnknown)
      .map(({ label, address, meaning }) => (
        <p class="warning danger" key={`${label} ${address}`}>
          {label} <span class="address">{address}</span>: {meaning}
        </p>
      ))}
    <ButtonLine
      class="main"
      onClick={() => {
        keepPasskey(passkey);
        // The network has just accepted a signature of it.
        keepDrill(passkeyDrill(passkey.signer));
        location.hash = passkeyLink(passkey);
      }}
    >
      Open this account
    </ButtonLine>
  </li>
);

const NOTHING_FOUND: Finds = { found: [], unseen: 0 };

type Props = {
  readonly devnet: Devnet | undefined;
  /** The parts of the link to an account; none if the passkey is to say which it opens. */
  readonly sheet: readonly string[];
};

/** Finds an account of a passkey in a browser that does not know it: no wallet and no address are needed. */
export function OpenPasskey({ devnet, sheet }: Props): VNode {
  const action = useAction('Look for the browser’s dialog.');
  const [signed, setSigned] = useState<Signed>();
  const [{ found, unseen }, setFound] = useState(NOTHING_FOUND);
  const modules = modulesOf(devnet);
  const chains = [...passkeys.use().map(({ chain }) => chain), ...(devnet === undefined ? [] : [devnet.chain])];
  let linked: Sheet | undefined;
  try {
    linked = sheet.length === 0 ? undefined : readSheet(sheet);
  } catch (error) {
    return (
      <Empty heading="Open with a passkey" title="This is not the link to an account">
        <p>{messageOf(error)}</p>
      </Empty>
    );
  }
  const wantedBy = ({ home }: ShownPasskey): Wanted | undefined => linked ?? home;
  const choose = async (): Promise<undefined> => {
    setSigned(undefined);
    setFound(NOTHING_FOUND);
    const data = newText();
    const shown = await askForPasskey(keccak256(data));
    const wanted = wantedBy(shown);
    setSigned({ shown, data });
    const chain = chainOf(wanted, chains);
    if (wanted !== undefined && chain !== undefined)
      setFound(await accountsOfPasskey({ shown, data, chain, modules, safe: wanted.safe }));
  };
  const form =
    signed === undefined || action.isBusy ? null : (
      <SearchForm
        wanted={found.length > 0 ? undefined : wantedBy(signed.shown)}
        chains={chains}
        action={action}
        onSearch={async (at) => {
          setFound(await accountsOfPasskey({ ...signed, ...at, modules }));
        }}
      />
    );
  return (
    <>
      <h1>Open with a passkey</h1>
      <p>
        A passkey opens each account that it owns, without a wallet. The browser shows the passkeys that your device or
        password manager has for <strong>{location.hostname}</strong>.
      </p>
      {linked === undefined ? null : (
        <p>
          You look for the account <span class="address">{getAddress(linked.safe)}</span>.
        </p>
      )}
      <div class="actions">
        <ActionButton action={action} class="main" work={choose}>
          Use a passkey
        </ActionButton>
        <a class="button" href={linkTo('home')}>
          Back
        </a>
      </div>
      <ActionStatus action={action} />
      {found.length > 0 ? (
        <Panel id="found" title="Found">
          <p class="warning">
            Compare the address with the one you know. Anyone can make an account and name your passkey as an owner
            beside themselves, and only the node says who the owners are.
          </p>
          <ul class="plain">
            {found.map((each) => (
              <FoundItem key={`${each.passkey.signer} ${each.passkey.safe}`} found={each} />
            ))}
          </ul>
          {unseen === 0 ? null : (
            <p class="warning">
              {counted(unseen, 'more contract')} said that the passkey was added, and not all could be looked at. If
              your account is not here, enter its address.
            </p>
          )}
          <details>
            <summary>Another account of this passkey</summary>
            {form}
          </details>
        </Panel>
      ) : signed === undefined || action.isBusy ? null : (
        <Panel id="where" title="Where its account is">
          <Where shown={signed.shown} wanted={wantedBy(signed.shown)} />
          {form}
        </Panel>
      )}
      <PasskeyChoice />
    </>
  );
}
