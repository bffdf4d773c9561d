import { type VNode } from 'preact';
import { type Address } from 'viem';

import { createSignerCall, signerAddress } from '../../core/safe/passkey/signer';
import { RANDOM_BYTES, userIdOf } from '../../core/safe/passkey/user-id';
import { type Call } from '../../core/erc4337/user-operation';
import { isSameAddress } from '../../core/eth/address';
import { dayWords } from '../../core/decode/words/time';
import { quantityToHex } from '../../core/eth/bytes';
import { createCredential } from '../model/credential';
import { nodeOf } from '../model/node';
import { passkeySupport } from '../model/passkey-network';
import { assertNewTitle, assertRoomForPasskey, keepPasskey, passkeys, signerOf } from '../model/passkeys';
import { type Chain } from '../model/types';
import { numberOf } from '../model/units';
import { ActionForm } from './action-form';
import { Field } from './field';

type Props = {
  readonly safe: Address;
  readonly name: string;
  readonly chain: Chain;
  /** The signer of the new passkey, and the call that creates it. */
  readonly onCreated: (signer: Address, create: Call) => void;
};

/** Makes a passkey, and goes on to make it an owner. */
export function AddPasskey({ safe, name, chain, onCreated }: Props): VNode {
  const count = passkeys.use().filter((passkey) => isSameAddress(passkey.safe, safe)).length;
  const add = async (title: string): Promise<undefined> => {
    assertNewTitle(title, safe);
    const made = Math.floor(Date.now() / 1000);
    const of = { safe, name, chain, title, made };
    assertRoomForPasskey(of);
    const { factory, verifiers } = await passkeySupport(nodeOf(chain));
    const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
    const userId = userIdOf({ chainId: numberOf(chain.chainId), safe, made }, random);
    const called = `${name}: ${title}, ${dayWords(BigInt(made))}`;
    const { credentialId, point } = await createCredential(called, userId);
    const passkey = { factory: factory.address, verifiers, x: quantityToHex(point.x), y: quantityToHex(point.y) };
    const signer = signerAddress(signerOf(passkey), factory.code);
    keepPasskey({ ...of, ...passkey, credentialId, signer });
    onCreated(signer, createSignerCall(signerOf(passkey)));
  };
  return (
    <details>
      <summary>Add a passkey</summary>
      <p>
        A passkey is kept by your device or password manager and unlocked with your fingerprint, face or PIN. With it,
        this page opens the account alone, without a wallet, if one signature is enough.
      </p>
      <p>
        It works only on pages of <strong>{location.hostname}</strong>, and every page there can ask for it. It finds
        the account in every browser that has the passkey. If that domain is gone, so is the passkey: keep another
        owner. To depend on no domain but your own, put this page on it first.
      </p>
      <p>
        The passkey becomes an owner in one operation, which Keystead shows you first. The account pays its network fee.
      </p>
      <ActionForm
        busyText="Look for the browser’s dialog. It asks twice: to make the passkey, and to try it."
        submit="Create a passkey"
        work={({ title = '' }) => add(title)}
      >
        <Field
          label="Name of the passkey"
          name="title"
          value={String(count + 1)}
          hint="Such as the device or password manager that keeps it"
        />
      </ActionForm>
    </details>
  );
}
