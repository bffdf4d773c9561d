import { type NodeClient } from '../../clients/node';
import { KeysteadError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { type ContractFacts, placeOf } from '../../core/decode/knowledge';
import { implementationCode } from './implementation';
import { type LookUpContract } from './library';
import { factsOfMetadata } from './metadata';
import { metadataCid } from './metadata-cid';

/** Where the metadata of contracts is found. */
export type ContractSources = {
  /** @returns A chain's node, or undefined if none is set up. */
  readonly node: (chainId: bigint) => Promise<NodeClient | undefined>;
  /** @returns The storage network, or undefined if none is set up. */
  readonly files: () => Promise<FileSource | undefined>;
};

/** Files by their CID. */
export type FileSource = {
  /** @returns The bytes, checked against the CID. @throws {KeysteadError} In words that can be shown. */
  readonly read: (cid: string) => Promise<Uint8Array>;
};

/** Milliseconds until a look-up is given up: somebody waits for the screen. */
const TIMEOUT = 5000;
const MAX_BYTES = 1_000_000;
/** Contracts that are remembered while the snap runs. */
const MAX_REMEMBERED = 50;

const NOTHING: ContractFacts = {};

async function lookUp(
  chainId: bigint,
  address: Hex,
  { node: nodeOf, files: filesOf }: ContractSources,
  signal: AbortSignal,
): Promise<ContractFacts> {
  // Without a storage network the node is not asked either.
  const files = await filesOf();
  const node = files && (await nodeOf(chainId));
  if (files === undefined || node === undefined) return NOTHING;
  const cid = metadataCid(await implementationCode(address, node, signal));
  if (cid === undefined) return NOTHING;
  const file = await files.read(cid);
  if (file.length > MAX_BYTES) return { failure: 'the file is too large' };
  return factsOfMetadata(file) ?? { failure: 'the file is no contract metadata' };
}

const late = (signal: AbortSignal): Promise<ContractFacts> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve({ failure: `there was no answer within ${TIMEOUT / 1000} s` });
    });
  });

async function inTime(work: (signal: AbortSignal) => Promise<ContractFacts>): Promise<ContractFacts> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort();
  }, TIMEOUT);
  try {
    return await Promise.race([work(controller.signal), late(controller.signal)]);
  } catch (error) {
    const why = error instanceof KeysteadError ? error.message : 'something failed.';
    return { failure: why };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Looks up what the maker of a contract published: the metadata whose CID stands at the end of its code, from the
 * storage network. The node learns which contract is looked at, the storage network which file. The CID ties the
 * file to the code, and says nothing of its truth.
 */
export function contractLookUp(sources: ContractSources): LookUpContract {
  const remembered = new Map<string, ContractFacts>();
  return async (chainId, address) => {
    const place = placeOf(chainId, address);
    const known = remembered.get(place);
    if (known !== undefined) return known;
    const facts = await inTime((signal) => lookUp(chainId, address, sources, signal));
    if ('functions' in facts) {
      const [oldest] = remembered.keys();
      if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      remembered.set(place, facts);
    }
    return facts;
  };
}
