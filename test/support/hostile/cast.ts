import { type Hex } from 'viem';

export const USDC: Hex = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
export const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
export const MULTICALL3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';
export const APES: Hex = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
export const THIEF: Hex = '0x66666666666666666666666666666666DEaDbeef';
export const STRANGER: Hex = '0x80ba8414F0B37280E0f2E0E3069c412CE25Bb75f';
export const RICH: Hex = '0xF977814e90dA44bFA03b6295A0616a897441aceC';
/** Somebody whom the account has sent to, and addresses that begin and end alike. */
export const FRIEND: Hex = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
export const TWIN: Hex = '0xd8Da010101010101010101010101010101016045';
export const NOBODY: Hex = `0x${'0'.repeat(40)}`;
export const LATER = '1900000000';
