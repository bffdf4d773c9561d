import { enums, exactOptional, type Infer, integer, literal, max, min, object, refine } from '@metamask/superstruct';

import { ACCOUNT_VERSIONS } from '../erc4337/entry-points';
import { chainIdOf, type ChainName, ChainReferenceStruct, toChainName } from '../wire/chain';
import { factoryFor } from '../wire/chain-configuration';
import { Uint256Struct } from '../wire/hex';
import { isSmart, type KeySource, MAX_INDEX, type StoredSmartAccount } from './account';
import { type CallerDeps } from './deps';
import { PrivateKeyStruct, WalletOptionsStruct } from './options';
import { newSmartAccount } from './smart-account';
import { type Wanted } from './wanted';

/** The options of `keyring_createAccount` for a smart account. */
export const SmartAccountOptionsStruct = refine(
  object({
    type: literal('eip155:erc4337'),
    chainId: ChainReferenceStruct,
    entryPointVersion: exactOptional(enums(ACCOUNT_VERSIONS)),
    /** Of the owner's derived key; the next one if left out. */
    index: exactOptional(max(min(integer(), 0), MAX_INDEX)),
    /** Of CREATE2; the index if left out, 0 for an imported owner. */
    salt: exactOptional(Uint256Struct),
    /** The owner's key, in place of a derived one. */
    privateKey: exactOptional(PrivateKeyStruct),
    metamask: exactOptional(WalletOptionsStruct),
  }),
  'smart account options',
  function* ({ index, privateKey }, { path }) {
    if (index !== undefined && privateKey !== undefined)
      yield { message: 'must be left out with privateKey: an imported key has no index', path: [...path, 'index'] };
  },
);

type Options = Omit<Infer<typeof SmartAccountOptionsStruct>, 'metamask'>;

/** What is stored already counts; it is only widened to the chain that it is asked for on. */
async function wantedOn(chain: ChainName, made: StoredSmartAccount, { accounts }: CallerDeps): Promise<Wanted> {
  const stored = await accounts.find(made.account.id);
  if (stored === undefined || !isSmart(stored)) return { stored: made, isNew: true, isWidened: false };
  const scopes = stored.account.scopes as readonly ChainName[];
  if (scopes.includes(chain)) return { stored, isNew: false, isWidened: false };
  const widened = { ...stored, account: { ...stored.account, scopes: [...scopes, chain] } };
  return { stored: widened, isNew: !stored.announced, isWidened: stored.announced };
}

const isDone = ({ stored, isNew, isWidened }: Wanted): boolean => !isNew && !isWidened && stored.announced;

/**
 * The smart account that the options ask for: with a private key or an index that very one, else the one with
 * the lowest index that is not on the chain yet, or whose creation was cut short.
 */
export async function wantedSmartAccount(options: Options, deps: CallerDeps): Promise<Wanted> {
  const { entryPointVersion: version = '0.7', salt, index, privateKey } = options;
  const chain = toChainName(options.chainId);
  const configuration = await deps.chains.find(chainIdOf(chain));
  const factory = configuration === undefined ? undefined : factoryFor(configuration, version);
  const wanted = async (key: KeySource, defaultSalt: number): Promise<Wanted> => {
    const making = { version, key, salt: BigInt(salt ?? defaultSalt), factory };
    return wantedOn(chain, await newSmartAccount(making, chain, deps.entropy), deps);
  };
  if (privateKey !== undefined) {
    return wanted({ source: 'imported', privateKey }, 0);
  }
  if (index !== undefined) return wanted({ source: 'derived', index }, index);
  for (let next = 0; ; next++) {
    const candidate = await wanted({ source: 'derived', index: next }, next);
    if (!isDone(candidate) && !deps.deleting.has(candidate.stored.account.id)) return candidate;
  }
}
