import { type VNode } from 'preact';

import { type Action } from '../model/use-action';

/** Shows and announces how an action is going. It always takes up its line, so that nothing moves when text appears. */
export const ActionStatus = ({ action: { isBusy, busyText, message } }: { readonly action: Action }): VNode => (
  <p class={`status ${message?.tone ?? ''}`} role="status">
    {isBusy ? busyText : message?.text}
  </p>
);
