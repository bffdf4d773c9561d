import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Icon } from './icons';

const SHOWN_FOR = 2000;

type Props = {
  /** The copied text; screen readers hear it after "Copy". */
  readonly label: string;
  readonly value: string;
  /** What the button says, where it is not beside the value. */
  readonly text?: string;
};

/** Copies a value, and says for two seconds whether it did. */
export function CopyButton({ label, value, text = 'Copy' }: Props): VNode {
  const [outcome, setOutcome] = useState<'Copied' | 'Not copied'>();
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <>
      <button
        type="button"
        class="small quiet copy"
        onClick={() => {
          navigator.clipboard.writeText(value).then(
            () => setOutcome('Copied'),
            () => setOutcome('Not copied'),
          );
        }}
      >
        <Icon name={outcome === 'Copied' ? 'done' : 'copy'} />
        {/* Both texts take up the space, so that nothing moves. */}
        <span class="swap" data-other="Not copied">
          {outcome ?? text}
        </span>
        <span class="visually-hidden"> {label}</span>
      </button>
      <span class="visually-hidden" role="status">
        {outcome === undefined ? '' : `${outcome}: ${label}`}
      </span>
    </>
  );
}
