import { type Hex } from '../eth/bytes';
import { matching } from './struct';

/** @returns Whether bytes begin with the zero address: nobody is there. */
export const beginsWithNobody = (bytes: string): boolean => /^0x0{40}/u.test(bytes);

/** 20 bytes. The checksum of EIP-55 is not demanded: real requests come in any case, and the case is never signed. */
export const AddressStruct = matching<Hex>('must be an address: 0x and 40 hex digits', /^0x[0-9a-fA-F]{40}$/u);
