import { type VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

import { KNOWN_NETWORKS } from '../../core/networks/known';
import { assertOn } from '../model/any-wallet';
import { messageOf } from '../model/errors';
import { guardedBy, type GuardedSearch, nodeOfWallet } from '../model/guarded';
import { modulesOf } from '../model/recovery';
import { linkTo } from '../model/route';
import { SessionContext } from '../model/session';
import { linkInSheet, sheetParts } from '../model/sheet';
import { type Devnet } from '../model/types';
import { counted, numberOf } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { ChooseWallet, type Connected } from './choose-wallet';
import { LookupStatus } from './lookup-status';
import { SafeByAddress } from './open-safe';
import { Panel } from './panel';
import { ShareLink } from './share-link';

type Props = { readonly devnet: Devnet | undefined };

/** Opens a sheet that was saved as a file. */
function BySheet(): VNode {
  const action = useAction();
  return (
    <Panel id="by-sheet" title="I have the sheet">
      <p>Scan the code on the paper, or type its address below. Or open the file:</p>
      <div class="field">
        <label for="sheet">Saved sheet</label>
        <input
          id="sheet"
          type="file"
          accept=".txt"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            action.run(async () => {
              if (file !== undefined) location.hash = linkInSheet(await file.text());
            });
          }}
        />
      </div>
      <ActionStatus action={action} />
    </Panel>
  );
}

/** Opens an account by its address. */
function ByAddress({ devnet }: Props): VNode {
  const session = useContext(SessionContext);
  const own = [...(devnet === undefined ? [] : [devnet.chain]), ...(session?.chains ?? [])];
  const networks = new Map([
    ...own.map(({ chainId, name }) => [String(numberOf(chainId)), name ?? chainId] as const),
    ...[...KNOWN_NETWORKS].map(([chainId, { name }]) => [String(chainId), name] as const),
  ]);
  return (
    <Panel id="by-address" title="I know the address">
      <SafeByAddress
        label="Address of the account that you lost"
        submit="Open the account"
        isMain
        networks={[...networks]}
        link={(safe, chainId) => linkTo('lost', chainId, safe)}
      />
    </Panel>
  );
}

/** The accounts of which a connected account is a guardian. */
function Found({ connected: { wallet, account }, devnet }: Props & { readonly connected: Connected }): VNode {
  const [{ chainId, search, error }, setState] = useState<{
    readonly chainId?: bigint;
    readonly search?: GuardedSearch;
    readonly error?: string;
  }>({});
  useEffect(() => {
    let isWanted = true;
    const look = async (): Promise<void> => {
      const chainId = BigInt(await wallet.request<string>('eth_chainId'));
      const modules = modulesOf(devnet);
      for await (const search of guardedBy(account, modules, nodeOfWallet(wallet, modules))) {
        if (!isWanted) return;
        // What was found on another network would be called an account of this one.
        await assertOn(wallet, chainId);
        setState({ chainId, search });
      }
    };
    setState({});
    look().catch((failure: unknown) => {
      if (isWanted) setState((before) => ({ ...before, error: messageOf(failure) }));
    });
    return () => {
      isWanted = false;
    };
  }, [account]);
  if (chainId === undefined || search === undefined) return <LookupStatus error={error} />;
  const { found, requestsLeft, refusal } = search;
  const sheets = found.map((one) => ({ chainId, ...one, guardians: [] }));
  return (
    <Panel id="guarded" title={`Accounts that ${account} guards`}>
      <p class="hint">
        {wallet.name} asked its node on the selected network. Anyone can name this account a guardian of an account of
        theirs: go on only if the person who lost the account recognizes the address.
      </p>
      {requestsLeft === 0 ? null : (
        <p class="status" role="status">
          The newest blocks come first. About {counted(requestsLeft, 'request')} left…
        </p>
      )}
      {refusal === undefined ? null : (
        <p class="status error">
          Not everything was searched: {refusal} Not every node searches all blocks. Try with another guardian’s wallet,
          or look for the sheet.
        </p>
      )}
      {error === undefined ? null : <p class="status error">{error}</p>}
      {sheets.length === 0 && requestsLeft === 0 && refusal === undefined && error === undefined ? (
        <p>
          None was found on the network that is selected in {wallet.name}. Select another network there and connect
          again.
        </p>
      ) : null}
      {sheets.map((sheet) => (
        <div class="item" key={sheet.safe + sheet.module}>
          <p class="address">{sheet.safe}</p>
          <p>Give this link to the person who lost the account, or open it here:</p>
          <ShareLink label={`Link to ${sheet.safe}`} parts={sheetParts(sheet)} />
        </div>
      ))}
    </Panel>
  );
}

/** Three ways to find an account whose phrase is lost: each ends in a link to it. */
export function FindLost({ devnet }: Props): VNode {
  const [connected, setConnected] = useState<Connected>();
  return (
    <>
      <BySheet />
      <ByAddress devnet={devnet} />
      {connected === undefined ? null : <Found connected={connected} devnet={devnet} />}
      <ChooseWallet
        chainId={devnet && numberOf(devnet.chain.chainId)}
        known={devnet?.chain}
        connected={connected}
        onConnected={setConnected}
      >
        Without the sheet and the address, a guardian can find the account: have a guardian open this page and connect
        the wallet with the account of the guardian. That confirms nothing and costs nothing.
      </ChooseWallet>
    </>
  );
}
