import { type VNode } from 'preact';

import { useSession } from '../core/session';
import { setUpDevnet } from '../core/set-up';
import { useAction } from '../core/use-action';
import { ActionStatus } from './action-status';

/** In the devnet: one step that configures everything. Not there once the chain is set up. */
export function SetUp(): VNode | null {
  const { client, devnet, chains, refresh } = useSession();
  const action = useAction();
  if (devnet === undefined || chains.some(({ chainId }) => chainId === devnet.chain.chainId)) return null;
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
                return await setUpDevnet(client, devnet);
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
