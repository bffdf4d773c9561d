import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { readAddress } from '../model/read-fields';
import { readToken, type Token, watchToken } from '../model/tokens';
import { type Chain } from '../model/types';
import { useAction } from '../model/use-action';
import { ActionForm } from './action-form';
import { Field } from './field';

/** Adds a token by its address, after showing what its contract says about itself. */
export function AddToken({ chain, onAdded }: { readonly chain: Chain; readonly onAdded: () => void }): VNode {
  const [address, setAddress] = useState('');
  const [found, setFound] = useState<Token>();
  const action = useAction('Asking the network…');
  return (
    <ActionForm
      action={action}
      submit={found === undefined ? 'Find token' : `Add ${found.symbol}`}
      isMain
      work={async () => {
        const token = await readToken(chain, readAddress(address.trim(), 'Token address'));
        if (found?.address === token.address) {
          watchToken(token);
          onAdded();
        } else setFound(token);
      }}
    >
      <Field
        label="Token address"
        name="address"
        placeholder="0x…"
        hint="The address of the token’s contract"
        value={address}
        onInput={(text) => {
          setAddress(text);
          setFound(undefined);
          action.forget();
        }}
      />
      {found === undefined ? null : (
        <p role="status">
          The contract calls itself <strong>{found.name}</strong> ({found.symbol}), with {found.decimals} decimals.
          Anyone can name a token so: check the address.
        </p>
      )}
    </ActionForm>
  );
}
