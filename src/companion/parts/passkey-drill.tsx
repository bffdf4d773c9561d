import { type VNode } from 'preact';
import { keccak256 } from 'viem';

import { signWithPasskey } from '../model/credential';
import { drills, lastDrill, passkeyDrill, drillWords } from '../model/drills';
import { newText } from '../model/passkey-owner';
import { type Passkey } from '../model/passkeys';
import { ActionLine } from './action-button';

/** Says when a passkey was last seen to work, and has it sign a text that is of no other use. */
export function PasskeyDrill({ passkey }: { readonly passkey: Passkey }): VNode {
  const at = lastDrill(drills.use(), passkeyDrill(passkey.signer));
  return (
    <>
      <p class="hint">This passkey: {drillWords(at)}</p>
      <ActionLine
        busyText="Look for the browser’s dialog."
        class="small"
        work={async () => {
          await signWithPasskey(passkey, keccak256(newText()));
          return 'It works. It signed a text that confirms nothing and moves nothing.';
        }}
      >
        See whether it works
      </ActionLine>
    </>
  );
}
