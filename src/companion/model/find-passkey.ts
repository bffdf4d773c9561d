import { type Address, getAddress, keccak256, pad } from 'viem';
import { getCode } from 'viem/actions';

import { NodeClient } from '../../clients/node';
import { PROXY_CODE_HASH } from '../../core/safe/contracts';
import { isOwner } from '../../core/safe/owners/owners';
import { KNOWN_VERIFIERS, SIGNER_FACTORIES, signerAddress } from '../../core/safe/passkey/signer';
import { type PasskeyPoint } from '../../core/safe/passkey/webauthn';
import { isSameAddress } from '../../core/eth/address';
import { type Hex, quantityToHex } from '../../core/eth/bytes';
import { type RecoveryModule } from '../../core/safe/recovery/modules';
import { AddressStruct } from '../../core/schemas/address';
import { array, type } from '../../core/structs/struct';
import { shortAddress } from './account-name';
import { type ShownPasskey } from './credential';
import { networkOfChain } from './network';
import { nodeOf } from './node';
import { presentOf } from './passkey-network';
import { assertSignerAccepts } from './passkey-owner';
import { isSamePasskey, type Passkey, passkeys } from './passkeys';
import { urlIn } from './recovery-proposal';
import { hasKnownSingleton, readSafe, type SafeState } from './safe';
import { type Chain } from './types';
import { numberOf } from './units';

/** `AddedOwner(address indexed owner)` of Safe 1.4.1. */
const ADDED_OWNER = '0x9465fa0c962cc76958e6373a993326400c1c94f8be2fe3a952adfa7f60b2ea26';

const LogsStruct = array(type({ address: AddressStruct }));

/**
 * Anyone can log an event. So many contracts are looked at: half of them the oldest, because nobody else knows a signer
 * before its first account logs it.
 */
const MAX_CONTRACTS = 50;

/** An account of a passkey, as this browser keeps it, and who else can act for it. */
export type FoundAccount = { readonly passkey: Passkey; readonly safe: SafeState };

/** A signer that a passkey can have on a network. */
type Signer = Pick<Passkey, 'signer' | 'factory' | 'x' | 'y' | 'verifiers'>;

/** @returns All signers that Keystead would make for these keys. @throws If the network has no signer factory. */
export async function signersFor(points: readonly PasskeyPoint[], chain: Chain): Promise<readonly Signer[]> {
  const factories = await presentOf(SIGNER_FACTORIES, nodeOf(chain));
  if (factories.length === 0)
    throw new Error(
      `${networkOfChain(chain).name} does not have Safe’s signer factory, so no passkey is an owner there. Check the network.`,
    );
  return factories.flatMap(({ address: factory, code }) =>
    points.flatMap((point) =>
      KNOWN_VERIFIERS.map((verifiers) => ({
        signer: signerAddress({ factory, point, verifiers }, code),
        factory,
        x: quantityToHex(point.x),
        y: quantityToHex(point.y),
        verifiers,
      })),
    ),
  );
}

/** @returns The contracts that say that they added one of the signers as an owner, the oldest first. */
async function contractsWith(signers: readonly Signer[], node: NodeClient): Promise<readonly Address[]> {
  const topics = [ADDED_OWNER, signers.map(({ signer }) => pad(signer))];
  const logs = await node
    .ask('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest', topics }], LogsStruct)
    .catch((error: unknown) => {
      throw new Error(
        `The account was not searched for, because ${node.title} does not search all blocks. Enter the account’s address, or use another node.`,
        { cause: error },
      );
    });
  return [...new Set(logs.map(({ address }) => getAddress(address)))];
}

/** @returns The account at an address, for each of the signers that owns it. @throws If none of them can sign. */
async function ownedBy(signers: readonly Signer[], address: Address, search: Search): Promise<readonly FoundAccount[]> {
  const { shown, data, chain, modules } = search;
  const node = nodeOf(chain);
  // Any other contract could call whomever it likes its owner.
  if (keccak256((await getCode(node, { address })) ?? '0x') !== PROXY_CODE_HASH) return [];
  const safe = await readSafe(node, address, modules);
  if (safe === undefined || !hasKnownSingleton(safe)) return [];
  const { credentialId, home, signature } = shown;
  const isHome = home !== undefined && isSameAddress(home.safe, address);
  const owning = signers.filter(({ signer }) => isOwner(signer, safe));
  await Promise.all(owning.map((signer) => assertSignerAccepts(signer, { data, signature }, node)));
  return owning.map((signer) => {
    const of = { signer: signer.signer, safe: address };
    const { name = `Safe ${shortAddress(address)}`, title, made } = passkeys.read().find(isSamePasskey(of)) ?? {};
    const since = isHome ? home.made : made;
    const called = { name, ...(title !== undefined && { title }), ...(since !== undefined && { made: since }) };
    return { passkey: { ...signer, ...called, credentialId, safe: address, chain, hasSigned: true }, safe };
  });
}

/**
 * @param values - The fields of a form that the snap, which checks URLs, does not see.
 * @param chains - The networks that this browser knows. What the form leaves empty is kept.
 * @throws {InvalidFieldError} If a URL is not one of a service.
 */
export function chainOfForm(
  chainId: Chain['chainId'],
  values: Readonly<Record<string, string>>,
  chains: readonly Chain[],
): Chain {
  const { rpcUrl = '', bundlerUrl, paymasterUrl } = values;
  const given = { rpcUrl, ...(bundlerUrl && { bundlerUrl }), ...(paymasterUrl && { paymasterUrl }) };
  for (const [name, url] of Object.entries(given)) urlIn(url, name);
  return { ...chains.find((each) => each.chainId === chainId), chainId, ...given };
}

/** What is searched for. */
export type Search = {
  readonly shown: ShownPasskey;
  /** The bytes whose keccak256 hash the passkey signed. */
  readonly data: Hex;
  readonly chain: Chain;
  /** The recovery modules that are known there. */
  readonly modules: readonly RecoveryModule[];
  /** The account, if the passkey names it or the person knows it. The network's log is searched otherwise. */
  readonly safe: Address | undefined;
};

/** What a search found. */
export type Finds = {
  readonly found: readonly FoundAccount[];
  /** How many other contracts say that they added the passkey, and were not or could not be looked at. */
  readonly unseen: number;
};

/**
 * Finds the accounts of a passkey on a network. An account counts only if the node says that it is a Safe 1.4.1 which
 * the passkey owns, and that the passkey's signer accepts the signature that the passkey made.
 *
 * @returns At least one account.
 * @throws If there are none; says what the node says.
 */
export async function accountsOfPasskey(search: Search): Promise<Finds> {
  const { shown, chain, safe } = search;
  const node = new NodeClient({ url: chain.rpcUrl });
  await node.assertChain(numberOf(chain.chainId));
  const signers = await signersFor(shown.points, chain);
  const all = safe === undefined ? await contractsWith(signers, node) : [getAddress(safe)];
  const half = MAX_CONTRACTS / 2;
  const some = all.length > MAX_CONTRACTS ? [...all.slice(0, half), ...all.slice(-half)] : all;
  const looked = await Promise.allSettled(some.map((address) => ownedBy(signers, address, search)));
  // Anyone can make a Safe that cannot be read, or add a signer that does not exist: it hides no other account.
  const found = looked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const failed = looked.filter((one) => one.status === 'rejected');
  if (found.length > 0) return { found, unseen: all.length - some.length + failed.length };
  if (failed[0] !== undefined) throw failed[0].reason;
  if (all.length > some.length)
    throw new Error(
      `${all.length} contracts say that they added this passkey, and not all could be looked at. Enter the account’s address.`,
    );
  const where = `on ${networkOfChain(chain).name}, says ${node.title}`;
  throw new Error(
    safe === undefined
      ? `This passkey owns no account ${where}. Check the network, or enter the account’s address.`
      : `This passkey does not own the Safe ${getAddress(safe)} ${where}. It was never added or was removed, or it was made for another account.`,
  );
}
