import { type Hex } from '../../../src/core/eth/bytes';

/** The signing account and its key. */
export const KEY: Hex = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
export const ME: Hex = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
/** Another account of the same wallet, to which the site is also connected. */
export const SECOND_KEY: Hex = '0x4646464646464646464646464646464646464646464646464646464646464646';
export const SECOND: Hex = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F';
/** An address that is not in this wallet. */
export const OTHER: Hex = '0x3535353535353535353535353535353535353535';
/** The site that calls the RPC handler. */
export const SITE = 'https://dapp.example';

/** ME with one letter in the wrong case, which breaks the EIP-55 checksum. */
export const MISSPELT: Hex = '0x29c76e6aD8f28BB1004902578Fb108c507Be341b';
