import { endsOf } from '../../core/decode/effects/recipients';
import { type Hex, lowerCase } from '../../core/eth/bytes';

/** @returns The name under which the index of own addresses has an address: the digits that people compare. */
export const endsKeyOf = (address: Hex): string => endsOf(lowerCase(address));
