import { type NodeClient } from '../../../clients/node';
import { ServiceRefusedError } from '../../../core/errors';
import { declaredAsset, declaredCollection, declaredToken } from '../../../core/decode/metadata/declared-token';
import { contractKey } from '../../../core/decode/metadata/contract-metadata';
import { type DeclaredAsset, type DeclaredToken } from '../../../core/decode/effects/outcome';
import { type Hex } from '../../../core/eth/bytes';
import { BytesStruct } from '../../../core/structs/hex';
import { LruCache } from '../../../core/lru-cache';

/** Looks up what the contract of an asset says of itself. Never rejects: null if it says nothing. */
export type LookUpAsset = (chainId: bigint, address: Hex) => Promise<DeclaredAsset | null>;

/** Looks up the name that a collection of NFTs gives itself. Never rejects: null if it gives none. */
export type LookUpName = (chainId: bigint, address: Hex) => Promise<string | null>;

/** `symbol()` and `decimals()` of ERC-20. */
const SYMBOL = '0x95d89b41';
const DECIMALS = '0x313ce567';
/** `totalSupply()` of ERC-20. */
const SUPPLY = '0x18160ddd';
/** `supportsInterface(0x80ac58cd)` (ERC-165): whether it is a collection of NFTs (ERC-721). */
const IS_ERC721 = `0x01ffc9a780ac58cd${'00'.repeat(28)}` as const;
/** `name()` of ERC-721. */
const NAME = '0x06fdde03';

/** The maximum number of tokens cached while the snap runs. */
const MAX_REMEMBERED = 200;

const read = (node: Pick<NodeClient, 'ask'>, to: Hex, data: Hex): Promise<Hex | undefined> =>
  node.ask('eth_call', [{ to, data }, 'latest'], BytesStruct).catch(() => undefined);

/** The node of a network with a short time limit, or undefined if there is none. */
type NodeOf = (chainId: bigint) => Promise<Pick<NodeClient, 'ask'> | undefined>;

/** Asks collections of NFTs for their name. The node learns which collection is looked up. */
export const nameLookUp =
  (nodeOf: NodeOf): LookUpName =>
  async (chainId, address) => {
    const node = await nodeOf(chainId).catch(() => undefined);
    return (node && declaredCollection(await read(node, address, NAME))?.name) ?? null;
  };

/** The answers of a contract to the calls. */
type Reading = (data: Hex) => Promise<Hex | undefined>;

/** Asks contracts, and remembers what they say. */
function remembering<Found>(
  nodeOf: NodeOf,
  ask: (answer: Reading) => Promise<Found | undefined>,
): (chainId: bigint, address: Hex) => Promise<Found | null> {
  const remembered = new LruCache<string, Found>(MAX_REMEMBERED);
  return async (chainId, address) => {
    const key = contractKey(chainId, address);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const node = await nodeOf(chainId).catch(() => undefined);
    const found = node && (await ask((data) => read(node, address, data)));
    if (found === undefined) return null;
    remembered.set(key, found);
    return found;
  };
}

/**
 * Asks a token contract for its symbol and decimals. The node learns which token is looked up.
 *
 * @returns Undefined if the contract says none.
 * @throws {ServiceFailedError} If the node does not answer: that says nothing of the contract.
 */
export async function readToken(node: Pick<NodeClient, 'ask'>, address: Hex): Promise<DeclaredToken | undefined> {
  const answer = (data: Hex): Promise<Hex | undefined> =>
    node.ask('eth_call', [{ to: address, data }, 'latest'], BytesStruct).catch((error: unknown) => {
      if (error instanceof ServiceRefusedError) return undefined;
      throw error;
    });
  return declaredToken(...(await Promise.all([answer(SYMBOL), answer(DECIMALS)])));
}

/**
 * Asks contracts for their symbol, decimals, total supply and whether they are collections of NFTs, all at once. The
 * node learns which contract is looked up.
 */
export const assetLookUp = (nodeOf: NodeOf): LookUpAsset =>
  remembering(nodeOf, async (answer) => {
    const [symbol, decimals, supply, isErc721] = await Promise.all(
      [SYMBOL, DECIMALS, SUPPLY, IS_ERC721].map((data) => answer(data as Hex)),
    );
    return declaredAsset({ symbol, decimals, supply, isErc721 });
  });
