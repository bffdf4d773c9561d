import { InvalidParamsError } from '../../core/errors';
import { fromHex, type Hex } from '../../core/eth/bytes';
import { addressOfPublicKey } from '../../core/eth/checksum';
import { publicKeyOf } from '../../core/eth/secp256k1';
import { enums, string, type } from '../../core/structs/struct';
import { type Ask } from '../wallet/dialogs';
import { ImportKeyScreen, PRIVATE_KEY } from '../screens/import-key';
import { PrivateKeyStruct } from './options';

const TypedStruct = type({ type: enums(['InputChangeEvent']), name: enums([PRIVATE_KEY]), value: string() });

/** @returns The private key that a text contains, with or without `0x` and with spaces around it; undefined if none. */
export function privateKeyIn(text: string): Hex | undefined {
  const key: unknown = `0x${text.trim().replace(/^0x/iu, '')}`;
  return PrivateKeyStruct.is(key) ? key : undefined;
}

/**
 * Has the user type a private key in a dialog of the snap.
 *
 * @param origin - `metamask`, or the origin of a page, which does not see the key.
 * @throws {UserRejectedError} If the user rejects it.
 * @throws {InvalidParamsError} If the user approves something that is no private key.
 */
export async function askForKey(ask: Ask, origin: string): Promise<Hex> {
  const { key } = await ask<{ readonly key: Hex | undefined; readonly isEmpty: boolean }>({
    initial: { key: undefined, isEmpty: true },
    draw: (typed) =>
      ImportKeyScreen({
        origin,
        address: typed.key && addressOfPublicKey(publicKeyOf(fromHex(typed.key))),
        isWrong: typed.key === undefined && !typed.isEmpty,
      }),
    change: (typed, event) =>
      TypedStruct.is(event) ? { key: privateKeyIn(event.value), isEmpty: event.value.trim() === '' } : typed,
  });
  if (key === undefined) throw new InvalidParamsError('privateKey', 'must be entered: 64 hex digits');
  return key;
}
