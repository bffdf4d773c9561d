import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

/** A long value with a button that copies it. */
export function Copyable({ label, value }: { readonly label: string; readonly value: string }): VNode {
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="copyable">
      <output aria-label={label}>{value}</output>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          void navigator.clipboard.writeText(value).then(() => {
            setCopied(true);
          });
        }}
      >
        {isCopied ? 'Copied' : 'Copy'}
        <span class="visually-hidden"> {label}</span>
      </button>
    </div>
  );
}
