import { parseEther } from './units';

function readAddress(text: string | undefined, field: string): string {
  if (text === undefined || !/^0x[0-9a-f]{40}$/iu.test(text))
    throw new Error(`${field}: must be an address, 0x and 40 hex digits`);
  return text;
}

/** @returns An amount of ether as a quantity in wei. */
function readValue(text: string | undefined, field: string): string {
  const value = parseEther(text ?? '');
  if (value === undefined) throw new Error(`${field}: must be an amount of ETH, such as 0.1`);
  return `0x${value.toString(16)}`;
}

/** @returns Call data; none if nothing is written. */
function readData(text: string | undefined, field: string): string {
  if (text === undefined || text === '') return '0x';
  if (!/^0x(?:[0-9a-f]{2})*$/iu.test(text))
    throw new Error(`${field}: must be bytes, 0x and an even number of hex digits`);
  return text;
}

/** What a call does, as the wallet's methods take it: an address, wei as a quantity, bytes in hex. */
export type Call = { readonly to: string; readonly value: string; readonly data: string };

/**
 * @param fields - As they are written; the value in ether.
 * @param of - What the call is called in an error, such as " of call 2".
 * @throws If one of them is not what it must be, naming the field.
 */
export const readCall = (fields: { readonly [K in keyof Call]?: string | undefined }, of = ''): Call => ({
  to: readAddress(fields.to, `To${of}`),
  value: readValue(fields.value, `Value${of}`),
  data: readData(fields.data, `Data${of}`),
});

/** @returns A block's number or an index, in digits or in hex, as a quantity. @throws If it is neither, naming the field. */
export function readQuantity(text: string | undefined, field: string): string {
  if (text === undefined || !/^(?:\d+|0x[0-9a-f]+)$/iu.test(text))
    throw new Error(`${field}: must be a number, in digits or as 0x and hex digits`);
  return `0x${BigInt(text).toString(16)}`;
}
