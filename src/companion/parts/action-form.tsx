import { type ComponentChildren, type VNode } from 'preact';

import { type Action, useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { valuesOf } from './field';

type Props = {
  /** The action of the work, if others use it too. */
  readonly action?: Action;
  /** What is said while it is running, if the action is its own. */
  readonly busyText?: string;
  /** What the form is for. Takes its values by name, trimmed, and all that was entered, which includes files. */
  readonly work: (values: Readonly<Record<string, string>>, entered: FormData) => Promise<string | undefined>;
  /** The text of the button. */
  readonly submit: string;
  readonly isMain?: boolean;
  /** Next to the button. */
  readonly beside?: ComponentChildren;
  /** What came of it. */
  readonly below?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/** A form with the button that sends it, and how that is going. */
export function ActionForm(props: Props): VNode {
  const own = useAction(props.busyText);
  const { action = own, work, submit, isMain = false, beside, below, class: style = 'form', children } = props;
  return (
    <form
      class={style}
      onSubmit={(event) => {
        event.preventDefault();
        const [values, entered] = [valuesOf(event.currentTarget), new FormData(event.currentTarget)];
        action.run(() => work(values, entered));
      }}
    >
      {children}
      <div class="actions">
        <button type="submit" class={isMain ? 'main' : ''} aria-disabled={action.isBusy}>
          {submit}
        </button>
        {beside}
      </div>
      <ActionStatus action={action} />
      {below}
    </form>
  );
}
