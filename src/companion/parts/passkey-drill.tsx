import { type VNode } from 'preact';
import { keccak256 } from 'viem';

import { signWithPasskey } from '../model/credential';
import { drills, lastDrill, passkeyDrill, drillWords } from '../model/drills';
import { newText } from '../model/passkey-owner';
import { type Passkey } from '../model/passkeys';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';

/** Says when a passkey was last seen to work, and has it sign a text that is of no other use. */
export function PasskeyDrill({ passkey }: { readonly passkey: Passkey }): VNode {
  const action = useAction('Look for the browser’s dialog.');
  const at = lastDrill(drills.use(), passkeyDrill(passkey.signer));
  return (
    <>
      <p class="hint">This passkey: {drillWords(at)}</p>
      <div class="actions">
        <button
          type="button"
          class="small"
          aria-disabled={action.isBusy}
          onClick={() => {
            action.run(async () => {
              await signWithPasskey(passkey, keccak256(newText()));
              return 'It works. It signed a text that confirms nothing and moves nothing.';
            });
          }}
        >
          See whether it works
        </button>
      </div>
      <ActionStatus action={action} />
    </>
  );
}
