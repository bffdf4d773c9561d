import { type NodeClient } from '../../clients/node';
import { declaredCollection, declaredToken } from '../../core/decode/metadata/declared-token';
import { placeOf } from '../../core/decode/metadata/contract-metadata';
import { type DeclaredToken } from '../../core/decode/effects/outcome';
import { type Hex } from '../../core/eth/bytes';
import { BytesStruct } from '../../core/schemas/hex';
import { type LookUpName, type LookUpToken } from './library';

/** `symbol()` and `decimals()` of ERC-20. */
const SYMBOL = '0x95d89b41';
const DECIMALS = '0x313ce567';
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

/** Asks token contracts for their symbol and decimals. The node learns which token is looked up. */
export function tokenLookUp(nodeOf: NodeOf): LookUpToken {
  const remembered = new Map<string, DeclaredToken>();
  return async (chainId, address) => {
    const place = placeOf(chainId, address);
    const known = remembered.get(place);
    if (known !== undefined) return known;
    const node = await nodeOf(chainId).catch(() => undefined);
    if (node === undefined) return null;
    const [symbol, decimals] = await Promise.all([read(node, address, SYMBOL), read(node, address, DECIMALS)]);
    const token = declaredToken(symbol, decimals);
    if (token === undefined) return null;
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(place, token);
    return token;
  };
}
