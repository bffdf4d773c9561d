import { type ComponentChildren, type VNode } from 'preact';
import { isHash } from 'viem';

import { useChosenChain } from '../model/chosen-chain';
import { linkTo } from '../model/route';
import { useLookup } from '../model/use-lookup';
import { Empty } from '../parts/empty';
import { Field, valuesOf } from '../parts/field';
import { BlockFacts, OperationFacts, TransactionFacts } from '../parts/chain-facts';

/** Digits name a block; anything else is looked up as a hash. */
const hrefFor = (text: string): string =>
  /^\d+$/u.test(text) ? linkTo('explorer', 'block', text) : linkTo('explorer', 'transaction', text);

/** Looks up transactions, user operations and blocks. */
export function Explorer({ kind, id }: { readonly kind: string | undefined; readonly id: string | undefined }): VNode {
  const chain = useChosenChain();
  const lookup = useLookup<ComponentChildren>(async () => {
    if (chain === undefined || kind === undefined || id === undefined) return undefined;
    if (kind === 'block') return BlockFacts(chain, id);
    if (!isHash(id)) throw new Error('Enter a block number in digits, or a hash: 0x followed by 64 hex digits.');
    if (kind === 'operation') return OperationFacts(chain, id);
    return TransactionFacts(chain, id);
  }, [chain?.rpcUrl, kind, id]);
  return (
    <>
      <h1>Explorer</h1>
      {chain === undefined ? (
        <Empty title="No networks yet" next={['Add a network', linkTo('settings')]}>
          <p>Add a network to look up its blocks, transactions and user operations.</p>
        </Empty>
      ) : (
        <form
          class="panel form"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            location.hash = hrefFor(valuesOf(event.currentTarget).id ?? '');
          }}
        >
          <Field label="Block number, transaction hash or user operation hash" name="id" value={id ?? ''} key={id} />
          <div class="actions">
            <button type="submit" class="main">
              Search
            </button>
          </div>
        </form>
      )}
      {id === undefined || chain === undefined ? null : (
        <section class="panel" aria-live="polite" aria-busy={lookup.isBusy}>
          {lookup.isBusy ? <p>Searching…</p> : null}
          {lookup.error === undefined ? null : <p class="status error">{lookup.error}</p>}
          {lookup.value}
        </section>
      )}
    </>
  );
}
