import { type ComponentChildren, type VNode } from 'preact';

type Props = { readonly error?: string | undefined; readonly children?: ComponentChildren };

/** Takes the place of something that is looked up: says why that failed, or that it is still being asked for. */
export const LookupStatus = ({ error, children = 'Asking the network…' }: Props): VNode => (
  <p class={`status ${error === undefined ? '' : 'error'}`} role="status">
    {error ?? children}
  </p>
);
