import type { CaipChainId, DiscoveredAccount } from '@metamask/keyring-api';

import { transactionCount } from '../../clients/transactions';
import { servicesOf } from '../network/services';
import { KIND_NAMES, type KindName } from '../../core/kinds';
import { InvalidParamsError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { chainOfScope } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { factoryFor } from '../../core/schemas/chain-configuration';
import { type AccountDeps } from './deps';
import { addressOfKey } from './keys';
import { deploymentOf, ownerOf } from './smart-account';

/** A limit, because each scope costs several requests. */
const MAX_SCOPES = 100;

/**
 * Discovery continues until nothing is found, so a node that reports every address as used would never end it. Nobody
 * has accounts beyond this index, and they can still be created.
 */
const LAST_INDEX = 999;

type Scope = { readonly scope: CaipChainId; readonly chainId: bigint | undefined };

const entry = (scopes: readonly CaipChainId[], derivationPath: string): DiscoveredAccount[] =>
  scopes.length === 0 ? [] : ([{ type: 'bip44', scopes: [...scopes], derivationPath }] as DiscoveredAccount[]);

/** @returns Whether the configured node says that an address has sent a transaction, or has code or a balance. */
async function isUsedAt(address: Hex, chainId: bigint, configuration: ChainConfiguration): Promise<boolean> {
  const { node } = servicesOf(configuration);
  const [sent, hasCodeOrBalance] = await Promise.all([
    transactionCount(node, address, 'latest'),
    node.isUsed(address),
    node.assertChain(chainId),
  ]);
  return sent > 0n || hasCodeOrBalance;
}

/**
 * Whether an externally owned account has been used, according to the wallet's node or the one that is configured here.
 * The wallet may not have the network, or have another one under the same number, such as a development chain.
 *
 * @throws {WalletRefusedError} If neither answers.
 */
async function isEoaUsed(
  address: Hex,
  chainId: bigint | undefined,
  { chain, chains }: Pick<AccountDeps, 'chain' | 'chains'>,
): Promise<boolean> {
  const configuration = chainId === undefined ? undefined : await chains.find(chainId);
  if (chainId === undefined || configuration === undefined) return chain.isUsed(address, chainId);
  const [wallet, own] = await Promise.allSettled([
    chain.isUsed(address, chainId),
    isUsedAt(address, chainId, configuration),
  ]);
  if (wallet.status === 'rejected' && own.status === 'rejected') throw wallet.reason;
  return [wallet, own].some((answer) => answer.status === 'fulfilled' && answer.value);
}

async function discoverEoa(
  scopes: readonly Scope[],
  index: number,
  { chain, chains, entropy }: Pick<AccountDeps, 'chain' | 'chains' | 'entropy'>,
): Promise<DiscoveredAccount[]> {
  const address = await addressOfKey({ source: { source: 'derived', index }, purpose: 'eip155:eoa' }, entropy);
  const used: CaipChainId[] = [];
  // Sequential, because MetaMask can query only one network at a time.
  for (const { scope, chainId } of scopes) {
    if (await isEoaUsed(address, chainId, { chain, chains })) used.push(scope);
  }
  return entry(used, `m/${index}'`);
}

/** The derivation path of each kind, below the snap's own entropy. */
const PATHS: Readonly<Record<KindName, string>> = {
  'simple-account-0.6': "m/4337'/6'",
  'simple-account-0.7': "m/4337'/7'",
  'simple-account-0.8': "m/4337'/8'",
  'simple-account-0.9': "m/4337'/9'",
  'safe-0.7': "m/4337'/7'/1'",
};

/** The smart account of a kind, on each configured chain where it is deployed or funded. */
async function discoverSmartAccount(
  kind: KindName,
  scopes: readonly Scope[],
  index: number,
  { chains, entropy }: Pick<AccountDeps, 'chains' | 'entropy'>,
): Promise<DiscoveredAccount[]> {
  const key = { source: 'derived', index } as const;
  const used: CaipChainId[] = [];
  let owner: Hex | undefined;
  for (const { scope, chainId } of scopes) {
    const configuration = chainId === undefined ? undefined : await chains.find(chainId);
    if (configuration === undefined) continue;
    const factory = factoryFor(configuration, kind);
    owner ??= await ownerOf(kind, key, entropy);
    const { address } = deploymentOf({ kind, salt: BigInt(index), factory }, owner);
    if (await servicesOf(configuration).node.isUsed(address)) used.push(scope);
  }
  return entry(used, `${PATHS[kind]}/${index}'`);
}

/**
 * `keyring_discoverAccounts`: finds out whether the derived accounts at an index have been used, so that they can be
 * recovered from the recovery phrase alone.
 *
 * @param scopes - The chains to search; `eip155:0` is MetaMask's current one. Smart accounts are searched on configured
 * chains only, and other accounts also on those that MetaMask has.
 * @param index - The account's index, at most 999.
 * @returns An entry for each used account, with the chains it was used on. The path is below the snap's own entropy
 * (SIP-6), because snaps may not derive `m/44'/60'`: `m/<index>'` for the externally owned account,
 * `m/4337'/<6, 7, 8 or 9>'/<index>'` for the SimpleAccount of entry point 0.6, 0.7, 0.8 or 0.9, and
 * `m/4337'/7'/1'/<index>'` for the Safe.
 */
export async function discoverAccounts(
  scopes: readonly CaipChainId[],
  index: number,
  deps: Pick<AccountDeps, 'chain' | 'chains' | 'entropy'>,
): Promise<DiscoveredAccount[]> {
  if (!Number.isInteger(index) || index < 0 || index > LAST_INDEX) {
    throw new InvalidParamsError('groupIndex', `must be a whole number from 0 to ${LAST_INDEX}, where discovery ends`);
  }
  if (scopes.length > MAX_SCOPES) throw new InvalidParamsError('scopes', `must contain at most ${MAX_SCOPES} chains`);
  const chains = scopes.map((scope) => ({ scope, chainId: chainOfScope(scope) }));
  const found = await discoverEoa(chains, index, deps);
  for (const kind of KIND_NAMES) found.push(...(await discoverSmartAccount(kind, chains, index, deps)));
  return found;
}
