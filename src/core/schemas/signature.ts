import { bytesStruct, Uint256Struct } from '../structs/hex';
import { object } from '../structs/struct';

/** A message signature of 65 bytes: r, s, v. */
export const MessageSignatureStruct = bytesStruct(65);

/** The signature object (specification 2.2). `r` and `s` keep their leading zeros. */
export const TransactionSignatureStruct = object({ v: Uint256Struct, r: bytesStruct(32), s: bytesStruct(32) });
