import { type Hex } from '../../eth/bytes';
import { glanced } from '../words/glance';
import { type WordScene } from '../scene';
import { contractKey, entryOf } from './contract-metadata';

/**
 * Collections of NFTs that imitations are made of, by chain and lower-case address. Source: `name()` of the contracts,
 * or what everybody calls them.
 */
const COLLECTIONS: Readonly<Record<string, string>> = {
  '1:0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb': 'CryptoPunks',
  '1:0xb7f7f6c52f2e2fdb1963eab30438024864c313f6': 'Wrapped Cryptopunks',
  '1:0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d': 'BoredApeYachtClub',
  '1:0x60e4d786628fea6478f785a6d7e704777c86a7c6': 'MutantApeYachtClub',
  '1:0xba30e5f9bb24caa003e9f2f0497ad287fdf95623': 'BoredApeKennelClub',
  '1:0x34d85c9cdeb23fa97cb08333b511ac86e1c4e258': 'Otherdeed',
  '1:0xed5af388653567af2f388e6224dc7c4b3241c544': 'Azuki',
  '1:0xbd3531da5cf5857e7cfaa92426877b022e612cf8': 'PudgyPenguins',
  '1:0x524cab2ec69124574082676e6f654a18df49a048': 'LilPudgys',
  '1:0x8a90cab2b38dba80c64b7734e58ee1db38b8992e': 'Doodles',
  '1:0x23581767a106ae21c074b2276d25e5c3e136a68b': 'Moonbirds',
  '1:0x7bd29408f11d2bfc23c34f18275bbf23bb716bc7': 'Meebits',
  '1:0x49cf6f5d44e70224e2e23fdcdd2c053f30ada28b': 'CloneX',
  '1:0x5af0d9827e0c53e4799bb226655a1de152a425a5': 'Milady Maker',
  '1:0x1a92f7381b9f03921564a437210bb9396471050c': 'Cool Cats',
  '1:0xc36442b4a4522e871399cd717abdd847ab11fe88': 'Uniswap V3 Positions NFT-V1',
};

/** What a longer name of an imitation contains: "Official BoredApeYachtClub". Shorter ones are words of their own. */
const LONG_NAME = 10;

const NAMES: readonly string[] = Object.values(COLLECTIONS).map(glanced);

/** @returns The name of a collection that many people know, if it is one. */
export const collectionAt = (address: Hex, { chainId }: Pick<WordScene, 'chainId'>): string | undefined =>
  chainId === undefined ? undefined : entryOf(COLLECTIONS, contractKey(chainId, address));

/**
 * @returns Whether a collection that is not known itself has the name of one that is, on whatever network, or one that
 * reads the same at a glance.
 */
export function isCopiedName(name: string, address: Hex, scene: Pick<WordScene, 'chainId'>): boolean {
  if (collectionAt(address, scene) !== undefined) return false;
  const read = glanced(name);
  return NAMES.some((known) => known === read || (known.length >= LONG_NAME && read.includes(known)));
}
