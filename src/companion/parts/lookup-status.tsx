import { type ComponentChildren, type VNode } from 'preact';

/** What stands where something that is looked up will be: why it failed, or else that it is being asked for. */
export const LookupStatus = ({
  error,
  children = 'Asking the network…',
}: {
  readonly error: string | undefined;
  readonly children?: ComponentChildren;
}): VNode => (
  <p class={`status ${error === undefined ? '' : 'error'}`} role="status">
    {error ?? children}
  </p>
);
