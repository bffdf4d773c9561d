import { type VNode } from 'preact';

import { type Action } from '../model/use-action';

/** Says how an action goes, to eyes and ears. Its place is kept, so that nothing moves when it speaks. */
export const ActionStatus = ({ action: { isBusy, message } }: { readonly action: Action }): VNode => (
  <p class={`status ${message?.tone ?? ''}`} role="status">
    {isBusy ? 'Waiting for the wallet…' : message?.text}
  </p>
);
