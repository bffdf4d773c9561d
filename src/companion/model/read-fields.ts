import { type Address, getAddress, type Hex } from 'viem';

import { parseAmount } from './units';

/**
 * @returns The address with its checksum.
 * @throws If the text is not an address, or its upper and lower case letters are not its checksum (EIP-55); the message
 *   names the field.
 */
export function readAddress(text: string | undefined, field: string): Address {
  const [, digits] = /^0x([0-9a-f]{40})$/iu.exec(text ?? '') ?? [];
  if (digits === undefined) throw new Error(`${field}: must be an address: 0x followed by 40 hex digits`);
  const address = getAddress(`0x${digits.toLowerCase()}`);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!isOneCase && address !== text)
    throw new Error(`${field}: must be an address with the right checksum. Copy it again: a digit may be mistyped`);
  return address;
}

/** @returns The amount of ether in wei, as a hex quantity. */
function readValue(text: string | undefined, field: string): Hex {
  const value = parseAmount(text ?? '');
  if (value === undefined) throw new Error(`${field}: must be an amount of ETH, such as 0.1`);
  return `0x${value.toString(16)}`;
}

/** @returns The call data; `0x` for an empty field. */
export function readData(text: string | undefined, field: string): Hex {
  if (text === undefined || text === '') return '0x';
  if (!/^0x(?:[0-9a-f]{2})*$/iu.test(text))
    throw new Error(`${field}: must be hex bytes: 0x followed by an even number of hex digits`);
  return text as Hex;
}

/** A call in the format of the wallet's methods: an address, wei as a hex quantity, bytes in hex. */
export type RpcCall = { readonly to: Address; readonly value: Hex; readonly data: Hex };

/**
 * @param fields - The values of the form's fields; `value` in ether.
 * @param suffix - Follows the field's name in errors, such as " (call 2)".
 * @throws If a field is invalid; the message names it.
 */
export const readCall = (fields: { readonly [K in keyof RpcCall]?: string | undefined }, suffix = ''): RpcCall => ({
  to: readAddress(fields.to, `To${suffix}`),
  value: readValue(fields.value, `Amount${suffix}`),
  data: readData(fields.data, `Data${suffix}`),
});

/**
 * @param text - A block number or an index, in decimal or hex.
 * @returns The number as a hex quantity.
 * @throws If it is neither; the message names the field.
 */
export function readQuantity(text: string | undefined, field: string): Hex {
  if (text === undefined || !/^(?:\d+|0x[0-9a-f]+)$/iu.test(text))
    throw new Error(`${field}: must be a number in digits, or 0x followed by hex digits`);
  return `0x${BigInt(text).toString(16)}`;
}
