import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { type Kept } from '../../core/ledger/signed/kept';
import { cancellationWords } from '../../core/ledger/signed/words';
import { visible } from '../../core/decode/words/text';
import { messageOf } from '../model/errors';
import { localTime } from '../model/local-time';
import { networkOfChain } from '../model/network';
import { useSession } from '../model/session';
import { cancellationBy, cancelSignature, type OpenSignature, readSignatures } from '../model/signatures';
import { type Account, type Chain } from '../model/types';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { ActionStatus } from './action-status';
import { Panel } from './panel';

/** What a node says of a signature, as a sentence. */
const STATUS_WORDS = {
  counts: 'It still counts',
  gone: 'It was used or cancelled',
  expired: 'It expired',
} as const;

const endText = ({ until }: Kept): string => (until === undefined ? 'without an end' : `until ${localTime(until)}`);

type ItemProps = {
  readonly signature: OpenSignature;
  readonly account: Account;
  readonly node: string;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
};

function SignatureItem({ signature: { kept, status }, account, node, isBusy, onCancel }: ItemProps): VNode {
  const isOpen = status === 'counts' || status === 'unknown';
  const cancellation = cancellationBy(account, kept);
  const how = isOpen ? cancellationWords(cancellation) : undefined;
  return (
    <li class="item">
      <h3>{visible(kept.title)}</h3>
      <p class="hint">
        Signed {localTime(kept.at / 1000)} for {visible(kept.origin)}, {endText(kept)}
        {kept.chainId === undefined ? ', for every network' : ''}.
      </p>
      <p class={status === 'counts' ? 'warning' : 'hint'}>
        {status === 'unknown' ? 'Keystead cannot check whether it was used' : `${STATUS_WORDS[status]}, says ${node}`}.
        {how === undefined ? '' : ` ${how}`}
      </p>
      {isOpen && cancellation.kind !== 'none' ? (
        <button type="button" aria-disabled={isBusy} onClick={onCancel}>
          Cancel<span class="visually-hidden"> {visible(kept.title)}</span>
        </button>
      ) : null}
    </li>
  );
}

type Props = { readonly account: Account; readonly chain: Chain };

/** What an account signed and others can use on a network, with a button that cancels it. */
export function OpenSignatures({ account, chain }: Props): VNode | null {
  const { client } = useSession();
  const [looks, setLooks] = useState(0);
  const [isWhole, setWhole] = useState(false);
  const cancelling = useAction();
  const { value, error, isBusy } = useLookup(
    () => readSignatures(account, chain, client),
    [account.id, chain.chainId, chain.rpcUrl, looks],
  );
  const signatures = value?.signatures ?? [];
  const open = signatures.filter(({ status }) => status === 'counts' || status === 'unknown');
  const shown = isWhole ? signatures : open;
  return (
    <Panel id="signed" title="Signed and may still count">
      <p class="hint">
        Whoever has a signature of this account can use it without asking. These are the ones that Keystead gave on{' '}
        {networkOfChain(chain).name}.
      </p>
      {value !== undefined && open.length === 0 ? <p>None is left that Keystead knows of.</p> : null}
      {value?.failure === undefined ? null : (
        <p class="warning">The node did not answer, so nothing was checked: {messageOf(value.failure)}</p>
      )}
      {error === undefined ? null : <p class="status error">{error}</p>}
      {shown.length === 0 ? null : (
        <ul class="rows" aria-label="Signatures">
          {shown.map((signature) => (
            <SignatureItem
              key={`${signature.kept.account} ${signature.kept.hash}`}
              signature={signature}
              account={account}
              node={value?.node ?? ''}
              isBusy={cancelling.isBusy}
              onCancel={() => {
                cancelling.run(async () => {
                  const words = await cancelSignature(signature.kept, account, chain, client);
                  setLooks(looks + 1);
                  return words;
                });
              }}
            />
          ))}
        </ul>
      )}
      <ActionStatus action={cancelling} />
      <div class="actions">
        <button type="button" aria-disabled={isBusy} onClick={() => setLooks(looks + 1)}>
          Check again
        </button>
        {open.length === signatures.length ? null : (
          <button type="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Hide those that nobody can use' : `Show ${signatures.length - open.length} that nobody can use`}
          </button>
        )}
      </div>
    </Panel>
  );
}
