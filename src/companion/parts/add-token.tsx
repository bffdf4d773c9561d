import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { readAddress } from '../model/read-fields';
import { readToken, type Token, watchToken } from '../model/tokens';
import { type Chain } from '../model/types';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { Field, valuesOf } from './field';

/** Adds a token by its address, after showing what its contract says about itself. */
export function AddToken({ chain, onAdded }: { readonly chain: Chain; readonly onAdded: () => void }): VNode {
  const [found, setFound] = useState<Token>();
  const action = useAction('Asking the network…');
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const { address } = valuesOf(event.currentTarget);
        action.run(async () => {
          const token = await readToken(chain, readAddress(address, 'Token address'));
          if (found?.address === token.address) {
            watchToken(token);
            onAdded();
            return undefined;
          }
          setFound(token);
          return undefined;
        });
      }}
      onInput={() => {
        setFound(undefined);
        action.forget();
      }}
    >
      <Field label="Token address" name="address" placeholder="0x…" hint="The address of the token’s contract" />
      {found === undefined ? null : (
        <p role="status">
          The contract calls itself <strong>{found.name}</strong> ({found.symbol}), with {found.decimals} decimals.
          Anyone can name a token so: check the address.
        </p>
      )}
      <div class="actions">
        <button type="submit" class="main" aria-disabled={action.isBusy}>
          {found === undefined ? 'Find token' : `Add ${found.symbol}`}
        </button>
      </div>
      <ActionStatus action={action} />
    </form>
  );
}
