import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { type Action } from '../model/use-action';

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
    <button
      type="button"
      class="quiet"
      aria-disabled={action.isBusy}
      onClick={() => {
        action.run(async () => {
          await remove();
          await refresh();
          return undefined;
        });
      }}
    >
      {verb}
      <span class="visually-hidden"> {name}</span>
    </button>
  );
}
