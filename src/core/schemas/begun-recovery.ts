import { array, integer } from '../structs/struct';
import { Uint256Struct } from '../structs/hex';
import { AddressStruct } from './address';

/** What is kept of a recovery that has begun. */
export const BEGUN_RECOVERY = {
  /** The first of the new owners. */
  newOwners: array(AddressStruct),
  /** How many new owners there are besides. */
  more: integer(0),
  newThreshold: Uint256Struct,
  /** Anyone may finish it from this time on, in seconds since 1970. */
  executeAfter: Uint256Struct,
};
