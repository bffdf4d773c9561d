import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { isDevnetSetUp, setUpDevnet } from '../model/set-up';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';

/** Configures a devnet in one step. Once everything is set up, only the outcome is shown. */
export function SetUp(): VNode | null {
  const { client, devnet, chains, storage, refresh } = useSession();
  const action = useAction();
  if (devnet === undefined) return null;
  const isDone = isDevnetSetUp(devnet, { chains, storage });
  // The status stays mounted when the section goes, so that screen readers announce the outcome.
  return (
    <>
      {isDone ? null : (
        <section class="panel highlight" aria-labelledby="set-up">
          <h2 id="set-up">Set up the development network</h2>
          <p>
            Adds the network and the storage of <code>npm start</code> to Keystead. Keystead asks before each change.
          </p>
          <div class="actions">
            <button
              type="button"
              class="main"
              aria-disabled={action.isBusy}
              onClick={() => {
                action.run(async () => {
                  try {
                    return await setUpDevnet(client, devnet, { chains, storage });
                  } finally {
                    await refresh();
                  }
                });
              }}
            >
              Set up
            </button>
          </div>
        </section>
      )}
      {isDone && !action.isBusy && action.message === undefined ? null : <ActionStatus action={action} />}
    </>
  );
}
