import { type KeyringAccount } from '@metamask/keyring-api';
import { enums, exactOptional, literal, object, optional, type } from '@metamask/superstruct';

import { KINDS } from '../erc4337/kinds';
import { type Hex } from '../eth/bytes';
import { ImportAccountScreen } from '../ui/import-account';
import { parse } from '../wire/struct';
import { accountId, eoaAccount, isSmart, type KeySource, type StoredAccount } from './account';
import { SmartAccountOptionsStruct, wantedSmartAccount } from './create-smart-account';
import { type CallerDeps } from './deps';
import { addressOfKey } from './keys';
import { PrivateKeyStruct, WalletOptionsStruct } from './options';
import { type Wanted } from './wanted';

/** The options for an externally owned account. MetaMask adds its own, under `metamask`. */
const EoaOptionsStruct = object({
  type: exactOptional(literal('eip155:eoa')),
  privateKey: exactOptional(PrivateKeyStruct),
  metamask: exactOptional(WalletOptionsStruct),
});

/** The type decides which options there are, so that the rest is refused in that type's words. */
const TypeStruct = type({ type: optional(enums(['eip155:eoa', 'eip155:erc4337'])) });

const wantedNew = (address: Hex, key: KeySource): Wanted => ({
  stored: { account: eoaAccount(address, key), key, announced: false },
  isNew: true,
  isWidened: false,
});

/** The derived account with the lowest index that is free, or one whose creation was cut short. */
async function nextDerived({ accounts, entropy }: CallerDeps): Promise<Wanted> {
  const all = (await accounts.list()).filter((stored) => !isSmart(stored));
  const interrupted = all.find(({ announced, key }) => !announced && key.source === 'derived');
  if (interrupted !== undefined) return { stored: interrupted, isNew: false, isWidened: false };
  const ids = new Set(all.map(({ account }) => account.id));
  const indices = new Set(all.map(({ key }) => (key.source === 'derived' ? key.index : undefined)));
  for (let index = 0; ; index++) {
    if (indices.has(index)) continue;
    const source: KeySource = { source: 'derived', index };
    const address = await addressOfKey({ source, purpose: 'eip155:eoa' }, entropy);
    // A key that was exported and imported again is an account already.
    if (!ids.has(accountId(address))) return wantedNew(address, source);
  }
}

async function imported(privateKey: Hex, { accounts, entropy, consent, origin }: CallerDeps): Promise<Wanted> {
  const key: KeySource = { source: 'imported', privateKey };
  const address = await addressOfKey({ source: key, purpose: 'eip155:eoa' }, entropy);
  const stored = await accounts.find(accountId(address));
  if (stored !== undefined) return { stored, isNew: false, isWidened: false };
  await consent(ImportAccountScreen({ address, origin }));
  return wantedNew(address, key);
}

/** @returns The name the wallet is offered for an account. */
function nameOf(stored: StoredAccount): string {
  const { account, key } = stored;
  const name = isSmart(stored) ? `Keystead smart ${KINDS[stored.smart.kind].entryPointVersion}` : 'Keystead';
  return key.source === 'derived' ? `${name} ${key.index + 1}` : `${name} import ${account.address.slice(2, 6)}`;
}

/**
 * Stored first, told to the wallet second, taken back if the wallet refuses. Whatever cuts it short, the
 * wallet never has an account that we lack, and repeating the request completes the same account.
 */
async function announce({ stored, isNew }: Wanted, deps: CallerDeps, correlationId?: string): Promise<KeyringAccount> {
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
 * A smart account that is to be used on one more chain. The wallet is told first: cut short in between, the
 * request can be repeated, and the wallet is told again.
 */
async function announceChange(stored: StoredAccount, { accounts, events }: CallerDeps): Promise<KeyringAccount> {
  await events.updated(stored.account);
  await accounts.put(stored);
  return stored.account;
}

/** @returns The account that the options ask for, and what the wallet sent along to get back. */
async function wantedBy(options: unknown, deps: CallerDeps): Promise<{ wanted: Wanted; correlationId?: string }> {
  const asked = parse(TypeStruct, options, 'options');
  if (asked.type === 'eip155:erc4337') {
    const { metamask, ...smart } = parse(SmartAccountOptionsStruct, options, 'options');
    return { wanted: await wantedSmartAccount(smart, deps), ...metamask };
  }
  const { privateKey, metamask } = parse(EoaOptionsStruct, options, 'options');
  return { wanted: privateKey === undefined ? await nextDerived(deps) : await imported(privateKey, deps), ...metamask };
}

/**
 * `keyring_createAccount`: the next derived account, or one for a private key that is brought.
 *
 * @param options - `{}` or `{ type: 'eip155:eoa', privateKey?: '0x…' }`; for a smart account
 * `{ type: 'eip155:erc4337', chainId, entryPointVersion?, index?, salt?, privateKey? }`.
 * @throws {InvalidParamsError} On any other option.
 * @throws {UserRejectedError} If the import is refused in our dialog.
 * @throws {WalletRefusedError} If the wallet does not add the account; it is then not stored either.
 */
export async function createAccount(options: unknown, deps: CallerDeps): Promise<KeyringAccount> {
  return deps.mutations.runExclusive(async () => {
    const { wanted, correlationId } = await wantedBy(options, deps);
    return wanted.isWidened ? announceChange(wanted.stored, deps) : announce(wanted, deps, correlationId);
  });
}
