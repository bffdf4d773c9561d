import { fromHex, type Hex } from '../../core/eth/bytes';
import { isPrivateKey } from '../../core/eth/secp256k1';
import { isName } from '../../core/accounts/contact';
import { object, rule, string } from '../../core/structs/struct';

/** A private key imported with `keyring_createAccount`. */
export const PrivateKeyStruct = rule<Hex>(
  'must be a private key: 0x and 64 hex digits, above zero and below the order of secp256k1',
  (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/u.test(value) && isPrivateKey(fromHex(value as Hex)),
);

/** MetaMask adds this to the options of `keyring_createAccount` and expects it back in the event. */
export const WalletOptionsStruct = object({ correlationId: string() });

/** The label of an account. */
export const LabelStruct = rule<string>('must be 1 to 64 characters of text', isName);
