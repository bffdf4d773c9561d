import { type CostName } from '../../costs';
import { type Form } from './formats';

/** What a request can make the gateway hold or do, by format. */
export const GATEWAY_COSTS: Readonly<Record<Form['format'], readonly CostName[]>> = {
  raw: ['read', 'hash', 'block'],
  car: ['path', 'read', 'hash', 'decode', 'walk', 'stream'],
};
