import { type ComponentChildren, type VNode } from 'preact';

import { type Action, useAction } from '../model/use-action';
import { ActionStatus } from './action-status';

type Props = {
  readonly action: Action;
  readonly work: () => Promise<string | undefined>;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/** A button that starts work. It does nothing while earlier work of the action is running. */
export const ActionButton = ({ action, work, class: style = '', children }: Props): VNode => (
  <button type="button" class={style} aria-disabled={action.isBusy} onClick={() => action.run(work)}>
    {children}
  </button>
);

type LineProps = Omit<Props, 'action'> & {
  /** The action of the work, if others use it too. */
  readonly action?: Action;
  /** What is said while it is running, if the action is its own. */
  readonly busyText?: string;
};

/** A button that starts work, in a line of its own, and how that is going. */
export function ActionLine({ action: shared, busyText, ...button }: LineProps): VNode {
  const own = useAction(busyText);
  const action = shared ?? own;
  return (
    <>
      <div class="actions">
        <ActionButton action={action} {...button} />
      </div>
      <ActionStatus action={action} />
    </>
  );
}

/** A button in a line of its own, for what is done at once. */
export const ButtonLine = (props: Pick<Props, 'class' | 'children'> & { readonly onClick: () => void }): VNode => (
  <div class="actions">
    <button type="button" {...props} />
  </div>
);

/** Leads back to what was filled in or chosen before. */
export const BackButton = ({ onBack }: { readonly onBack: () => void }): VNode => (
  <button type="button" onClick={onBack}>
    Back
  </button>
);
