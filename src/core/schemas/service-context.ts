import { rule } from '../structs/struct';

function isShortObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    return JSON.stringify(value).length <= 4096;
  } catch {
    // Nested too deeply to be serialized, so it is too long as well.
    return false;
  }
}

/** The context for a paymaster service (ERC-7677). Keystead stores and forwards it without reading it. */
export const ServiceContextStruct = rule<Record<string, unknown>>(
  'must be an object of at most 4096 characters of JSON',
  isShortObject,
);
