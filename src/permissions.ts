import { CHAIN_METHODS } from './chains/methods';
import { quoted, UnauthorizedError } from './errors';
import { KEYRING_METHODS } from './keyring/adapter';

/** A page manages accounts and chains; what an account signs comes through the wallet only. */
const COMPANION_METHODS: ReadonlySet<string> = new Set(
  [...KEYRING_METHODS, ...Object.keys(CHAIN_METHODS)].filter((method) => method !== 'keyring_submitRequest'),
);

/**
 * Whether an origin may call a method of the keyring door. The wallet checks too; we do not rely on it.
 *
 * @param companions - The origins of companion pages; none in a production build.
 * @throws {UnauthorizedError} If it may not.
 */
export function assertMayCall(origin: string, method: string, companions: readonly string[]): void {
  if (origin === 'metamask') return;
  if (!companions.includes(origin))
    throw new UnauthorizedError('origin: this origin may not use the keyring of Keystead');
  if (!COMPANION_METHODS.has(method)) throw new UnauthorizedError(`method: a page may not call ${quoted(method)}`);
}
