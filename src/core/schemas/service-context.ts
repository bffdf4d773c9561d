import { rule } from './struct';

function isShortObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    return JSON.stringify(value).length <= 4096;
  } catch {
    // Nested too deep to be written, so too long as well.
    return false;
  }
}

/** What a paymaster service is told with every request (ERC-7677). It is stored and sent on, and not read. */
export const ServiceContextStruct = rule<Record<string, unknown>>(
  'must be an object of at most 4096 characters of JSON',
  isShortObject,
);
