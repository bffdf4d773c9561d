import { bytesStruct, Uint256Struct } from './hex';
import { object } from './struct';

/**
 * A message signature of 65 bytes: r, s, v.
 *
 * @example
 * ```ts
 * const r = '28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276';
 * const s = '67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83';
 * MessageSignatureStruct.is(`0x${r}${s}1b`); // => true
 * MessageSignatureStruct.is(`0x${r}${s}`); // => false
 * ```
 */
export const MessageSignatureStruct = bytesStruct(65);

/**
 * The signature object (specification 2.2). `r` and `s` keep their leading zeros.
 *
 * @example
 * ```ts
 * const r = '0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276';
 * const s = '0x67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83';
 * TransactionSignatureStruct.is({ v: '0x25', r, s }); // => true
 * TransactionSignatureStruct.is({ v: '0x25', r, s: '0x0' }); // => false
 * ```
 */
export const TransactionSignatureStruct = object({ v: Uint256Struct, r: bytesStruct(32), s: bytesStruct(32) });
