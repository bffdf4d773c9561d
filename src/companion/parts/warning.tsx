import { type ComponentChildren, type VNode } from 'preact';

import { Icon } from './icons';

type Props = { readonly isDanger?: boolean; readonly role?: 'alert' | 'status'; readonly children: ComponentChildren };

/** A warning with its icon. */
export const Warning = ({ isDanger = false, role, children }: Props): VNode => (
  <p class={isDanger ? 'warning danger' : 'warning'} {...(role && { role })}>
    <Icon name="warning" /> {isDanger ? <strong>{children}</strong> : <span>{children}</span>}
  </p>
);
