import { ConfigError } from '../../runtime/config';
import { LockedError } from '../../runtime/process-lock';
import { messageOf } from '../errors';
import type { Fault } from './messages';

/** Errors whose message alone is shown, so their class matters on the other side. */
const KNOWN = { ConfigError, LockedError } as const;

/** Describes an error for the other side of a thread. */
export function faultOf(error: unknown): Fault {
  const { name = 'Error', stack, code, syscall } = error as Partial<Record<keyof Fault, string>>;
  const known = Object.entries(KNOWN).find(([, Known]) => error instanceof Known);
  return { name: known?.[0] ?? name, message: messageOf(error), stack, code, syscall };
}

/** Makes the error that a fault describes. */
export function errorOf({ name, message, stack, code, syscall }: Fault): Error {
  const Known = Object.hasOwn(KNOWN, name) ? KNOWN[name as keyof typeof KNOWN] : undefined;
  if (Known !== undefined) return new Known(message);
  return Object.assign(new Error(message), {
    ...(stack !== undefined && { stack }),
    ...(code !== undefined && { code }),
    ...(syscall !== undefined && { syscall }),
  });
}
