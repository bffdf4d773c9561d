import { type Hex } from '../../eth/bytes';

/** Nobody has the key of the zero address, or of addresses that spell "dead" or are all ones. */
const BURN = /^0x(?:0{40}|0{36}dead|dead0{36}|(?:dead){10}|dead000000000000000042069420694206942069|f{40})$/u;

/** Precompiled contracts: 0x01 to 0x11 (up to EIP-2537) and 0x0100 (EIP-7951). What they receive is stuck. */
const PRECOMPILE = /^0x0{37}(?:0(?:0[1-9a-f]|1[01])|100)$/u;

const PLACEHOLDER = /^0x0{37}[0-9a-f]{3}$/iu;

/** @returns Whether an address is a precompiled contract, which works without code. */
export const isPrecompile = (address: Hex): boolean => PRECOMPILE.test(address.toLowerCase());

/** @returns Whether nobody has the key of an address: zero, or one of those that people burn tokens with. */
export const isDeadAddress = (address: Hex): boolean => BURN.test(address.toLowerCase());

/** @returns Whether nobody can get back what an address receives: a usual burn address, or a precompiled contract. */
export const isBurnAddress = (address: Hex): boolean => isDeadAddress(address) || isPrecompile(address);

/** @returns Whether an address is a small number, by which contracts mean the sender, themselves and the like. */
export const isPlaceholder = (address: Hex): boolean => PLACEHOLDER.test(address);
