import { type VNode } from 'preact';

import { CopyButton } from './copy-button';

/** A long value with a button that copies it. */
export const Copyable = ({ label, value }: { readonly label: string; readonly value: string }): VNode => (
  <div class="copyable">
    <output aria-label={label}>{value}</output>
    <CopyButton label={label} value={value} />
  </div>
);
