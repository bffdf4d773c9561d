import { type VNode } from 'preact';

import { inField } from '../model/errors';
import { readAddress } from '../model/read-fields';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { Field, valuesOf } from './field';
import { Panel } from './panel';
import { NetworkChoice } from './recovery-choices';
import { SetUp } from './set-up';

/** Opens a Safe for any of its owners, whichever wallet or passkey that is. */
export function OpenSafe(): VNode {
  const { chains } = useSession();
  const action = useAction();
  return (
    <Panel id="open-safe" title="Open a Safe by its address">
      <p class="hint">
        Any owner can propose what it sends and who owns it: an account of Keystead, an account of another wallet, or a
        passkey.
      </p>
      {chains.length === 0 ? (
        <SetUp />
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            const { chain = '', address = '' } = valuesOf(event.currentTarget);
            action.run(async () => {
              const safe = await inField('address', () => readAddress(address, 'Address'));
              location.hash = linkTo('owners', safe, chain);
              return undefined;
            });
          }}
        >
          <Field label="Address of the Safe" name="address" placeholder="0x…" />
          <NetworkChoice />
          <div class="actions">
            <button type="submit" aria-disabled={action.isBusy}>
              Open the Safe
            </button>
          </div>
          <ActionStatus action={action} />
        </form>
      )}
    </Panel>
  );
}
