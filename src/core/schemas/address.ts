import { type Hex } from '../eth/bytes';
import { matching } from './struct';

/**
 * @returns Whether bytes start with the zero address.
 *
 * @example
 * ```ts
 * startsWithZeroAddress('0x0000000000000000000000000000000000000000'); // => true
 * startsWithZeroAddress('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'); // => false
 * ```
 */
export const startsWithZeroAddress = (bytes: string): boolean => /^0x0{40}/u.test(bytes);

/**
 * A 20-byte address. An EIP-55 checksum is not required: real requests use any case, and the case is never signed.
 *
 * @example
 * ```ts
 * AddressStruct.is('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'); // => true
 * AddressStruct.is('0x70997970c51812dc3a010c7d01b50e0d17dc79c8'); // => true
 * AddressStruct.is('vitalik.eth'); // => false
 * ```
 */
export const AddressStruct = matching<Hex>('must be an address: 0x and 40 hex digits', /^0x[0-9a-fA-F]{40}$/u);
