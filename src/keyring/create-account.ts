import { exactOptional, literal, object, string } from '@metamask/superstruct';

import { fromHex, type Hex } from '../eth/bytes';
import { isPrivateKey } from '../eth/secp256k1';
import { ImportAccountScreen } from '../ui/import-account';
import { parse, rule } from '../wire/struct';
import { accountId, type EoaAccount, eoaAccount, type KeySource, type StoredAccount } from './account';
import { type CallerDeps } from './deps';
import { addressOfKey } from './keys';

const PrivateKeyStruct = rule<Hex>(
  'private key',
  'must be a private key: 0x and 64 hex digits, above zero and below the order of secp256k1',
  (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/u.test(value) && isPrivateKey(fromHex(value as Hex)),
);

/** The options of `keyring_createAccount`. MetaMask adds its own, under `metamask`. */
const OptionsStruct = object({
  type: exactOptional(literal('eip155:eoa')),
  privateKey: exactOptional(PrivateKeyStruct),
  metamask: exactOptional(object({ correlationId: string() })),
});

/** An account that the request asks for, and what is stored under its id already. */
type Wanted = { readonly stored: StoredAccount; readonly isNew: boolean };

const wantedNew = (address: Hex, key: KeySource): Wanted => ({
  stored: { account: eoaAccount(address, key), key, announced: false },
  isNew: true,
});

/** The derived account with the lowest index that is free, or one whose creation was cut short. */
async function nextDerived({ accounts, entropy }: CallerDeps): Promise<Wanted> {
  const all = await accounts.list();
  const interrupted = all.find(({ announced, key }) => !announced && key.source === 'derived');
  if (interrupted !== undefined) return { stored: interrupted, isNew: false };
  const ids = new Set(all.map(({ account }) => account.id));
  const indices = new Set(all.map(({ key }) => (key.source === 'derived' ? key.index : undefined)));
  for (let index = 0; ; index++) {
    if (indices.has(index)) continue;
    const key: KeySource = { source: 'derived', index };
    const address = await addressOfKey(key, entropy);
    // A key that was exported and imported again is an account already.
    if (!ids.has(accountId(address))) return wantedNew(address, key);
  }
}

async function imported(privateKey: Hex, { accounts, entropy, consent, origin }: CallerDeps): Promise<Wanted> {
  const key: KeySource = { source: 'imported', privateKey };
  const address = await addressOfKey(key, entropy);
  const stored = await accounts.find(accountId(address));
  if (stored !== undefined) return { stored, isNew: false };
  await consent(ImportAccountScreen({ address, origin }));
  return wantedNew(address, key);
}

/** @returns The name the wallet is offered for an account. */
const nameOf = ({ account, key }: StoredAccount): string =>
  key.source === 'derived' ? `Keystead ${key.index + 1}` : `Keystead import ${account.address.slice(2, 6)}`;

/**
 * Stored first, told to the wallet second, taken back if the wallet refuses. Whatever cuts it short, the
 * wallet never has an account that we lack, and repeating the request completes the same account.
 */
async function announce({ stored, isNew }: Wanted, deps: CallerDeps, correlationId?: string): Promise<EoaAccount> {
  const { accounts, events } = deps;
  const { account } = stored;
  if (isNew) await accounts.put(stored);
  try {
    await events.created(account, nameOf(stored), correlationId);
  } catch (refusal) {
    // If this fails too, the account stays unannounced, and the next creation offers it again.
    if (!stored.announced) await accounts.remove(account.id).catch(() => undefined);
    throw refusal;
  }
  if (!stored.announced) await accounts.put({ ...stored, announced: true });
  return account;
}

/**
 * `keyring_createAccount`: the next derived account, or one for a private key that is brought.
 *
 * @param options - `{}` or `{ type: 'eip155:eoa', privateKey?: '0x…' }`.
 * @throws {InvalidParamsError} On any other option.
 * @throws {UserRejectedError} If the import is refused in our dialog.
 * @throws {WalletRefusedError} If the wallet does not add the account; it is then not stored either.
 */
export async function createAccount(options: unknown, deps: CallerDeps): Promise<EoaAccount> {
  const { privateKey, metamask } = parse(OptionsStruct, options, 'options');
  return deps.mutations.runExclusive(async () => {
    const wanted = privateKey === undefined ? await nextDerived(deps) : await imported(privateKey, deps);
    return announce(wanted, deps, metamask?.correlationId);
  });
}
