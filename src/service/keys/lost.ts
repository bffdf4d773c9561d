import { hasHeld, noteHeld } from '../runtime/held-stores';
import type { KeyStore } from './index';

/** What is remembered in the data directory: that the key store held keys. */
const nameOf = (ledger: 'sqlite' | 'redis'): string => (ledger === 'redis' ? 'keys in Redis' : 'keys.sqlite');

/** The data directories of stores that were seen with keys by this process: it may not be able to write them. */
const seen = new Set<string>();

/**
 * Whether a key store is empty that held keys before, and remembers whether it holds some now. A new key would then be
 * the first one, and so an operator's.
 *
 * @param keys - The key store.
 * @param dataDir - Of the service, where it is remembered.
 * @param ledger - Where keys are kept.
 * @throws {KeysUnavailableError} If the store is unreachable.
 */
export async function wereLost(
  keys: Pick<KeyStore, 'isEmpty'>,
  dataDir: string,
  ledger: 'sqlite' | 'redis',
): Promise<boolean> {
  const name = nameOf(ledger);
  const known = `${dataDir}\n${name}`;
  if (await keys.isEmpty()) return seen.has(known) || hasHeld(dataDir, name);
  if (seen.has(known)) return false;
  seen.add(known);
  await noteHeld(dataDir, name);
  return false;
}
