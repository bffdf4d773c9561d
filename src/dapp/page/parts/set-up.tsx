import { type VNode } from 'preact';

import { useSession } from '../core/session';
import { isDevnetSetUp, setUpDevnet } from '../core/set-up';
import { useAction } from '../core/use-action';
import { ActionStatus } from './action-status';

/** In the devnet: one step that configures everything. Not there once all of it is set up. */
export function SetUp(): VNode | null {
  const { client, devnet, chains, storage, refresh } = useSession();
  const action = useAction();
  if (devnet === undefined || isDevnetSetUp(devnet, { chains, storage })) return null;
  return (
    <section class="panel highlight" aria-labelledby="set-up">
      <h2 id="set-up">Set up the development network</h2>
      <p>
        Tells Keystead where the chain and the storage of <code>npm start</code> are. It asks you before each change.
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
      <ActionStatus action={action} />
    </section>
  );
}
