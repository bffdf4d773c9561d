import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { type Action } from '../model/use-action';
import { ActionButton } from './action-button';

type Props = {
  readonly action: Action;
  /** The text of the button. */
  readonly verb: string;
  /** The name of what is removed; screen readers hear it after the verb. */
  readonly name: string;
  readonly remove: () => Promise<unknown>;
};

/** Removes something from the snap, then refreshes the page. */
export function RemoveButton({ action, verb, name, remove }: Props): VNode {
  const { refresh } = useSession();
  return (
    <ActionButton
      action={action}
      class="quiet"
      work={async () => {
        await remove();
        await refresh();
      }}
    >
      {verb}
      <span class="visually-hidden"> {name}</span>
    </ActionButton>
  );
}
