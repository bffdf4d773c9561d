import { type ComponentChildren, type VNode } from 'preact';

import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { useLookup } from '../model/use-lookup';
import { Empty } from '../parts/empty';
import { Field, valuesOf } from '../parts/field';
import { BlockFacts, OperationFacts, TransactionFacts } from '../parts/chain-facts';

/** Which kind of thing a text names: a block number, or the hash of something. */
const hrefFor = (text: string): string =>
  /^\d+$/u.test(text) ? linkTo('explorer', 'block', text) : linkTo('explorer', 'transaction', text);

/** A look at the chain: a transaction, a user operation, a block. */
export function Explorer({ kind, id }: { readonly kind: string | undefined; readonly id: string | undefined }): VNode {
  const { chains } = useSession();
  const [chain] = chains;
  const lookup = useLookup<ComponentChildren>(async () => {
    if (chain === undefined || kind === undefined || id === undefined) return undefined;
    if (kind === 'block') return BlockFacts(chain, id);
    if (!/^0x[0-9a-f]{64}$/iu.test(id))
      throw new Error('What to look up: must be a block number in digits, or a hash: 0x and 64 digits.');
    if (kind === 'operation') return OperationFacts(chain, id);
    return TransactionFacts(chain, id);
  }, [chain?.rpcUrl, kind, id]);
  return (
    <>
      <h1>Explorer</h1>
      {chain === undefined ? (
        <Empty title="No chain is set up to look at">
          <a class="button" href={linkTo('settings')}>
            Set a chain up
          </a>
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
          <Field label="Block number, or hash of a transaction or user operation" name="id" value={id ?? ''} key={id} />
          <div class="actions">
            <button type="submit" class="main">
              Look up
            </button>
          </div>
        </form>
      )}
      {id === undefined || chain === undefined ? null : (
        <section class="panel" aria-live="polite" aria-busy={lookup.isBusy}>
          {lookup.isBusy ? <p>Looking…</p> : null}
          {lookup.error === undefined ? null : <p class="status error">{lookup.error}</p>}
          {lookup.value}
        </section>
      )}
    </>
  );
}
