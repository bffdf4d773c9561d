import type { KeyringAccount } from '@metamask/keyring-api';

import { InvalidParamsError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { networkTitle } from '../../core/networks/network';
import { chainIdOf, toChainName } from '../../core/schemas/chain';
import { ImportAccountScreen } from '../screens/import-account';
import { RecoveredAccountScreen } from '../screens/recovered-account';
import {
  enums,
  exactOptional,
  type Infer,
  literal,
  object,
  optional,
  parse,
  rule,
  type,
} from '../../core/structs/struct';
import { accountId, type KeySource, newEoa, type StoredAccount } from './account';
import { addAccount } from './add-account';
import { askForKey } from './ask-for-key';
import { SmartAccountOptionsStruct, smartAccountCreation } from './create-smart-account';
import { type AccountDeps, type CreationDeps } from './deps';
import { addressOfKey } from './keys';
import { LabelStruct, PrivateKeyStruct, WalletOptionsStruct } from './options';
import { unlessDamaged } from './repository';
import { type Creation, creationOf } from './creation';

/** The options for an externally owned account. MetaMask adds its own under `metamask`. */
const EoaOptionsStruct = object({
  type: exactOptional(literal('eip155:eoa')),
  privateKey: exactOptional(PrivateKeyStruct),
  label: exactOptional(LabelStruct),
  metamask: exactOptional(WalletOptionsStruct),
});

/** Validates only the type, so that other errors come from the options of that type. */
const TypeStruct = type({ type: optional(enums(['eip155:eoa', 'eip155:erc4337'])) });

/** The derived account with the lowest free index, or one whose creation was interrupted. */
async function nextDerived({
  accounts,
  deleting,
  entropy,
}: Pick<AccountDeps, 'accounts' | 'deleting' | 'entropy'>): Promise<Creation> {
  // If all stored accounts are damaged, none is in the way and the first one is created again.
  const all = (await unlessDamaged(accounts.entries(), [])).filter(({ account }) => account.type === 'eip155:eoa');
  const interrupted = all.find(
    ({ account, announced, key }) => !announced && key.source === 'derived' && !deleting.has(account.id),
  );
  if (interrupted !== undefined) return { stored: await accounts.get(interrupted.account.id), isNew: false };
  const ids = new Set(all.map(({ account }) => account.id));
  const indices = new Set(all.map(({ key }) => (key.source === 'derived' ? key.index : undefined)));
  for (let index = 0; ; index++) {
    if (indices.has(index)) continue;
    const source: KeySource = { source: 'derived', index };
    const address = await addressOfKey({ source, purpose: 'eip155:eoa' }, entropy);
    // A derived key that was exported and imported again already has an account.
    if (!ids.has(accountId(address))) return { stored: newEoa(address, source), isNew: true };
  }
}

async function imported(privateKey: Hex, deps: Pick<AccountDeps, 'accounts' | 'entropy'>): Promise<Creation> {
  const key: KeySource = { source: 'imported', privateKey };
  const address = await addressOfKey({ source: key, purpose: 'eip155:eoa' }, deps.entropy);
  return creationOf(newEoa(address, key), deps);
}

/** A parsed creation request. */
type Asked = {
  readonly find: () => Promise<Creation>;
  readonly imports: boolean;
  /** The network of a Safe that a recovery has given to the key; undefined for any other account. */
  readonly recoveredOn?: bigint;
  /** A name for the account if it is new. */
  readonly label: string | undefined;
  readonly correlationId: string | undefined;
};

type CommonOptions = Pick<Infer<typeof EoaOptionsStruct>, 'privateKey' | 'label' | 'metamask'>;

const asked = ({ privateKey, label, metamask }: CommonOptions, find: Asked['find']): Asked => ({
  find,
  imports: privateKey !== undefined,
  label,
  correlationId: metamask?.correlationId,
});

/** Asks for the key of an account in a dialog. Everything else is `Options` of an account with a `privateKey`. */
const WantsKeyStruct = type({ importKey: rule<true>('must be true', (value) => value === true) });

/** A valid key, with which options are validated before the user is asked for the real one. */
const SOME_KEY: Hex = `0x${'1'.padStart(64, '0')}`;

/**
 * @returns The options, with the key that the user enters if they say so.
 * @throws {InvalidParamsError} If the others are invalid, or have a key already.
 */
async function withEnteredKey(
  options: unknown,
  deps: Pick<AccountDeps, 'accounts' | 'ask' | 'chains' | 'deleting' | 'entropy'>,
  origin: string,
): Promise<unknown> {
  if (!WantsKeyStruct.is(options)) return options;
  const { importKey: _importKey, ...others } = options as { readonly importKey: true; readonly privateKey?: unknown };
  if (others.privateKey !== undefined)
    throw new InvalidParamsError('options.importKey', 'must be omitted if privateKey is given');
  readOptions({ ...others, privateKey: SOME_KEY }, deps);
  return { ...others, privateKey: await askForKey(deps.ask, origin) };
}

/** @throws {InvalidParamsError} If an option does not exist, or cannot be combined with the others. */
function readOptions(options: unknown, deps: Pick<AccountDeps, 'accounts' | 'chains' | 'deleting' | 'entropy'>): Asked {
  if (parse(TypeStruct, options, 'options').type === 'eip155:erc4337') {
    const smart = parse(SmartAccountOptionsStruct, options, 'options');
    const request = asked(smart, () => smartAccountCreation(smart, deps));
    return smart.address === undefined ? request : { ...request, recoveredOn: chainIdOf(toChainName(smart.chainId)) };
  }
  const eoa = parse(EoaOptionsStruct, options, 'options');
  const { privateKey } = eoa;
  return asked(eoa, () => (privateKey === undefined ? nextDerived(deps) : imported(privateKey, deps)));
}

/** Asks for consent before importing a new key, and before adding a recovered Safe or using it on one more network. */
async function consentToAdd(
  { find, imports, recoveredOn }: Asked,
  { chains, consent }: Pick<AccountDeps, 'chains' | 'consent'>,
  origin: string,
): Promise<void> {
  const { stored, isNew, before } = await find();
  const { address } = stored.account;
  if (imports && isNew) await consent(ImportAccountScreen({ address, origin }));
  if (recoveredOn === undefined || !(isNew || before !== undefined)) return;
  const title = networkTitle(recoveredOn, await chains.find(recoveredOn));
  await consent(RecoveredAccountScreen({ address, networkTitle: title, origin }));
}

/** Names an account that the wallet does not have yet. The name of any other account stays. */
function labelled(creation: Creation, label: string | undefined): Creation {
  const { stored } = creation;
  if (label === undefined || stored.announced) return creation;
  const named = { ...stored.account, options: { ...stored.account.options, label } };
  return { isNew: true, stored: { ...stored, account: named } as StoredAccount };
}

/**
 * `keyring_createAccount`: creates the next derived account, or imports a private key.
 *
 * The account is stored, then announced, and removed again if MetaMask rejects it. If the creation is interrupted,
 * MetaMask never has an account that is missing here, and repeating the request completes the same account.
 *
 * @param options - `{}` or `{ type: 'eip155:eoa', privateKey?: '0x…', label? }`; for a smart account
 * `{ type: 'eip155:erc4337', chainId, entryPointVersion?, index?, salt?, privateKey?, label? }`. The label names a new
 * account, and is suggested to the wallet. It does not decide which account is created. `importKey: true` has the user
 * enter a private key in a dialog, which a page then does not see.
 * @param origin - `metamask`, or the origin of a page.
 * @throws {InvalidParamsError} If any other option is given.
 * @throws {UserRejectedError} If the user rejects the import, or the recovered Safe, in our dialog.
 * @throws {WalletRefusedError} If MetaMask does not add the account. It is then not stored either.
 */
export async function createAccount(options: unknown, deps: CreationDeps, origin: string): Promise<KeyringAccount> {
  const request = readOptions(await withEnteredKey(options, deps, origin), deps);
  if (request.imports || request.recoveredOn !== undefined) await consentToAdd(request, deps, origin);
  return addAccount(async () => labelled(await request.find(), request.label), deps, request.correlationId);
}
