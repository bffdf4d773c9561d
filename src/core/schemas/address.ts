import { type Hex } from '../eth/bytes';
import { matching } from '../structs/struct';

/** @returns Whether bytes start with the zero address. */
export const startsWithZeroAddress = (bytes: string): boolean => /^0x0{40}/u.test(bytes);

/** A 20-byte address. An EIP-55 checksum is not required: real requests use any case, and the case is never signed. */
export const AddressStruct = matching<Hex>('must be an address: 0x and 40 hex digits', /^0x[0-9a-fA-F]{40}$/u);
