import { blo } from 'blo';
import { type VNode } from 'preact';

type Props = { readonly address: string; readonly size?: number };

/** The picture of an address, the same that block explorers show. Decorative: its name stands next to it. */
export const Identicon = ({ address, size = 40 }: Props): VNode => (
  <img class="identicon" src={blo(address as `0x${string}`)} alt="" width={size} height={size} />
);
