import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { getAddress, type Hex, keccak256 } from 'viem';

import { askForPasskey, type ShownPasskey } from '../model/credential';
import { accountsOfPasskey, type FoundAccount, type Search } from '../model/find-passkey';
import { networkOfChain } from '../model/network';
import { chainIdIn, NETWORK_CHOICES } from '../model/network-settings';
import { newText } from '../model/passkey-owner';
import { passkeyTitle } from '../model/passkey-title';
import { keepPasskey, passkeys } from '../model/passkeys';
import { readAddress } from '../model/read-fields';
import { modulesOf } from '../model/recovery';
import { linkTo } from '../model/route';
import { powersOf } from '../model/safe';
import { type Chain, type Devnet } from '../model/types';
import { numberOf } from '../model/units';
import { type Action, useAction } from '../model/use-action';
import { ActionStatus } from '../parts/action-status';
import { Facts } from '../parts/facts';
import { Field, valuesOf } from '../parts/field';
import { PasskeyChoice } from '../parts/passkey-choice';

/** A passkey, and what it signed. */
type Signed = { readonly shown: ShownPasskey; readonly data: Hex };

/** The network that a passkey says that its account is on, of those that this browser knows a node of. */
const chainOf = ({ home }: ShownPasskey, chains: readonly Chain[]): Chain | undefined =>
  home === undefined ? chains[0] : chains.find(({ chainId }) => numberOf(chainId) === home.chainId);

/** Asks for the node that knows the account, and for the network if the passkey does not say it. */
function SearchForm({
  shown,
  chains,
  action,
  onSearch,
}: {
  readonly shown: ShownPasskey;
  readonly chains: readonly Chain[];
  readonly action: Action;
  readonly onSearch: (at: Pick<Search, 'chain' | 'safe'>) => Promise<undefined>;
}): VNode {
  const { home } = shown;
  const known = chainOf(shown, chains);
  const search = (values: Readonly<Record<string, string>>): Promise<undefined> => {
    const { network = '', rpcUrl = '', bundlerUrl, safe } = values;
    const chainId = home === undefined ? chainIdIn(network) : (`eip155:${home.chainId}` as const);
    const chain = {
      ...chains.find((each) => each.chainId === chainId),
      chainId,
      rpcUrl,
      ...(bundlerUrl && { bundlerUrl }),
    };
    return onSearch({ chain, safe: home?.safe ?? (safe ? readAddress(safe, 'Account') : undefined) });
  };
  return (
    <section class="panel" aria-labelledby="where">
      <h2 id="where">Where its account is</h2>
      {home === undefined ? (
        <p>
          This passkey does not say which account it belongs to. An older version of this page made it, or another page
          did. Keystead can look for the account in the log of its network.
        </p>
      ) : (
        <p>
          This passkey says that it was made for the Safe <span class="address">{getAddress(home.safe)}</span> on{' '}
          {networkOfChain(known ?? { chainId: `eip155:${home.chainId}`, rpcUrl: '' }).name}. Keystead asks a node of
          that network whether it owns the account.
        </p>
      )}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const values = valuesOf(event.currentTarget);
          action.run(async () => search(values));
        }}
      >
        {home === undefined ? (
          <>
            <Field
              label="Network name or chain ID"
              name="network"
              {...(known !== undefined && { value: String(numberOf(known.chainId)) })}
              suggestions={NETWORK_CHOICES}
            />
            <Field label="Account, if you know its address" name="safe" required={false} placeholder="0x…" />
          </>
        ) : null}
        <Field
          label="Node (RPC URL)"
          name="rpcUrl"
          {...(known !== undefined && { value: known.rpcUrl })}
          placeholder="https://…"
          hint="https, or http on this machine"
        />
        <Field
          label="Bundler URL"
          name="bundlerUrl"
          required={false}
          {...(known?.bundlerUrl !== undefined && { value: known.bundlerUrl })}
          placeholder="https://…"
          hint="Sends what you sign. You can look at the account without one"
        />
        <div class="actions">
          <button type="submit" class="main" aria-disabled={action.isBusy}>
            Look for the account
          </button>
        </div>
      </form>
    </section>
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
    <div class="actions">
      <button
        type="button"
        class="main"
        onClick={() => {
          keepPasskey(passkey);
          location.hash = linkTo('passkey', passkey.signer, passkey.safe);
        }}
      >
        Open this account
      </button>
    </div>
  </li>
);

/** Finds the account of a passkey in a browser that does not know it: no wallet and no address are needed. */
export function OpenPasskey({ devnet }: { readonly devnet: Devnet | undefined }): VNode {
  const action = useAction('Look for the browser’s dialog.');
  const [signed, setSigned] = useState<Signed>();
  const [found, setFound] = useState<readonly FoundAccount[]>([]);
  const modules = modulesOf(devnet);
  const chains = [...passkeys.use().map(({ chain }) => chain), ...(devnet === undefined ? [] : [devnet.chain])];
  const choose = async (): Promise<undefined> => {
    setSigned(undefined);
    setFound([]);
    const data = newText();
    const shown = await askForPasskey(keccak256(data));
    setSigned({ shown, data });
    const chain = chainOf(shown, chains);
    if (shown.home !== undefined && chain !== undefined)
      setFound(await accountsOfPasskey({ shown, data, chain, modules, safe: shown.home.safe }));
    return undefined;
  };
  return (
    <>
      <h1>Open with a passkey</h1>
      <p>
        A passkey that owns an account opens it without a wallet. The browser shows the passkeys that your device or
        password manager has for <strong>{location.hostname}</strong>.
      </p>
      <div class="actions">
        <button
          type="button"
          class="main"
          aria-disabled={action.isBusy}
          onClick={() => {
            action.run(choose);
          }}
        >
          Use a passkey
        </button>
        <a class="button" href={linkTo('home')}>
          Back
        </a>
      </div>
      <ActionStatus action={action} />
      {found.length > 0 ? (
        <section class="panel" aria-labelledby="found">
          <h2 id="found">Found</h2>
          <p class="warning">
            Compare the address with the one you know. Anyone can make an account and name your passkey as an owner
            beside themselves, and only the node says who the owners are.
          </p>
          <ul class="plain">
            {found.map((each) => (
              <FoundItem key={`${each.passkey.signer} ${each.passkey.safe}`} found={each} />
            ))}
          </ul>
        </section>
      ) : signed === undefined || action.isBusy ? null : (
        <SearchForm
          shown={signed.shown}
          chains={chains}
          action={action}
          onSearch={async (at) => {
            setFound(await accountsOfPasskey({ ...signed, ...at, modules }));
            return undefined;
          }}
        />
      )}
      <PasskeyChoice />
    </>
  );
}
