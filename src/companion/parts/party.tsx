import { type VNode } from 'preact';

import { Identicon } from './identicon';

type Props = { readonly address: string; readonly name: string | undefined };

/** An account or a recipient, with its whole address. */
export const Party = ({ address, name }: Props): VNode => (
  <span class="party">
    <Identicon address={address} size={32} />
    <span>
      {name === undefined ? null : <strong>{name}</strong>}
      <span class="address">{address}</span>
    </span>
  </span>
);
