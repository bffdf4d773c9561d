import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { type Action } from '../model/use-action';

type Props = {
  readonly action: Action;
  /** What the button says, and of what it says it to those who do not see where it is. */
  readonly verb: string;
  readonly name: string;
  readonly remove: () => Promise<unknown>;
};

/** Takes something out of the snap, and shows what is left. */
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
