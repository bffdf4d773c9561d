import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { isNetworkSetUp, setUpNetwork } from '../model/set-up';
import { useAction } from '../model/use-action';
import { ActionButton } from './action-button';
import { ActionStatus } from './action-status';
import { Panel } from './panel';

/** Adds the network of a devnet in one step. Once that is done, only the outcome is shown. */
export function SetUp(): VNode | null {
  const { client, devnet, chains, refresh } = useSession();
  const action = useAction();
  if (devnet === undefined) return null;
  const isDone = isNetworkSetUp(devnet, chains);
  // The status stays mounted when the section goes, so that screen readers announce the outcome.
  return (
    <>
      {isDone ? null : (
        <Panel id="set-up" title="Set up the development network" class="panel highlight">
          <p>A development network runs on this machine. Keystead asks you before it uses it.</p>
          <div class="actions">
            <ActionButton
              action={action}
              class="main"
              work={async () => {
                try {
                  return await setUpNetwork(client, devnet);
                } finally {
                  await refresh();
                }
              }}
            >
              Set up
            </ActionButton>
          </div>
        </Panel>
      )}
      {isDone && !action.isBusy && action.message === undefined ? null : <ActionStatus action={action} />}
    </>
  );
}
