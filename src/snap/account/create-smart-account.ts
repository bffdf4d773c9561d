import { ACCOUNT_VERSIONS } from '../../core/erc4337/entry-points';
import { KIND_NAMES, KIND_OF_VERSION, KINDS } from '../../core/kinds';
import { InvalidParamsError } from '../../core/errors';
import { AddressStruct } from '../../core/schemas/address';
import { chainIdOf, ChainReferenceStruct, toChainName } from '../../core/schemas/chain';
import { type ChainConfiguration, factoryFor } from '../../core/schemas/chain-configuration';
import { Uint256Struct } from '../../core/structs/hex';
import { servicesOf } from '../network/services';
import { type KeySource, MAX_INDEX, type StoredSmartAccount } from './account';
import { SAFE_KIND } from './alarmed';
import { type AccountDeps } from './deps';
import { LabelStruct, PrivateKeyStruct, WalletOptionsStruct } from './options';
import { assertControls } from './recovered-safe';
import { newSmartAccount } from './smart-account';
import { type Creation, creationOf } from './creation';
import { enums, exactOptional, type Infer, integer, literal, object, refine, wrong } from '../../core/structs/struct';

/** The options of `keyring_createAccount` for a smart account. */
export const SmartAccountOptionsStruct = refine(
  object({
    type: literal('eip155:erc4337'),
    chainId: ChainReferenceStruct,
    entryPointVersion: exactOptional(enums(ACCOUNT_VERSIONS)),
    /** The kind of account. Default: the SimpleAccount of the entry point version. */
    kind: exactOptional(enums(KIND_NAMES)),
    /** The index of the owner's derived key. Default: the next free one. */
    index: exactOptional(integer(0, MAX_INDEX)),
    /** The CREATE2 salt. Default: the index, or 0 for an imported owner. */
    salt: exactOptional(Uint256Struct),
    /** The owner's key, instead of a derived one. */
    privateKey: exactOptional(PrivateKeyStruct),
    /** A Safe that a recovery has given to the owner's key. Its address does not follow from the key. */
    address: exactOptional(AddressStruct),
    /** The name of a new account. */
    label: exactOptional(LabelStruct),
    metamask: exactOptional(WalletOptionsStruct),
  }),
  ({ address, entryPointVersion, index, kind, privateKey, salt }) => {
    if (kind !== undefined && entryPointVersion !== undefined && KINDS[kind].entryPointVersion !== entryPointVersion)
      return wrong(`must be ${KINDS[kind].entryPointVersion} or omitted for this kind`, 'entryPointVersion');
    if (index !== undefined && privateKey !== undefined)
      return wrong('must be omitted if privateKey is given: an imported key has no index', 'index');
    if (address === undefined) return undefined;
    if (kind !== SAFE_KIND) return wrong(`must be omitted, unless kind is "${SAFE_KIND}"`, 'address');
    if (index === undefined && privateKey === undefined)
      return wrong('must be omitted without an index or a privateKey, which say whose account it is', 'address');
    if (salt !== undefined) return wrong('must be omitted if address is given: the account exists already', 'salt');
    return undefined;
  },
);

type Options = Infer<typeof SmartAccountOptionsStruct>;

/** @throws {InvalidParamsError} If the account is not one that its owner's key controls on the network. */
async function assertRecovered(
  { account, smart }: StoredSmartAccount,
  configuration: ChainConfiguration | undefined,
): Promise<void> {
  if (configuration === undefined)
    throw new InvalidParamsError('options.chainId', 'must be a network that is set up in Keystead');
  const { node } = servicesOf(configuration);
  await node.assertChain(chainIdOf(configuration.chainId));
  await assertControls(smart.owner, account.address, node);
}

const isDone = ({ stored, isNew, before }: Creation): boolean => !isNew && before === undefined && stored.announced;

/**
 * The smart account to create: with a private key or an index, that account; otherwise the account with the lowest
 * index that is not on the chain yet, or whose creation was interrupted.
 */
export async function smartAccountCreation(
  options: Options,
  deps: Pick<AccountDeps, 'accounts' | 'chains' | 'deleting' | 'entropy'>,
): Promise<Creation> {
  const { entryPointVersion = '0.7', kind = KIND_OF_VERSION[entryPointVersion], salt, index, privateKey } = options;
  const chain = toChainName(options.chainId);
  const configuration = await deps.chains.find(chainIdOf(chain));
  const factory = configuration === undefined ? undefined : factoryFor(configuration, kind);
  const creationWith = async (key: KeySource, defaultSalt: number): Promise<Creation> => {
    const making = { kind, key, salt: BigInt(salt ?? defaultSalt), factory, recovered: options.address };
    const made = await newSmartAccount(making, [chain], deps.entropy);
    if (options.address !== undefined) await assertRecovered(made, configuration);
    return creationOf(made, deps);
  };
  if (privateKey !== undefined) {
    return creationWith({ source: 'imported', privateKey }, 0);
  }
  if (index !== undefined) return creationWith({ source: 'derived', index }, index);
  for (let next = 0; ; next++) {
    const candidate = await creationWith({ source: 'derived', index: next }, next);
    if (!isDone(candidate) && !deps.deleting.has(candidate.stored.account.id)) return candidate;
  }
}
