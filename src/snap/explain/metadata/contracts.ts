import { type NodeClient } from '../../../clients/node';
import { within } from '../../../clients/within';
import { KeysteadError } from '../../../core/errors';
import { type Hex } from '../../../core/eth/bytes';
import { type ContractFacts, contractKey } from '../../../core/decode/metadata/contract-metadata';
import { LruCache } from '../../../core/lru-cache';
import { implementationCode } from './implementation';
import { type LookUpContract } from './library';
import { factsOfMetadata } from './metadata';
import { metadataCid } from './metadata-cid';

/** The sources of contract metadata. */
export type ContractSources = {
  /** @returns The node of a chain, or undefined if the chain is not set up. */
  readonly node: (chainId: bigint) => Promise<NodeClient | undefined>;
  /** @returns The storage service, or undefined if none is set up. */
  readonly files: () => Promise<FileSource | undefined>;
};

/** Reads files by CID. */
export type FileSource = {
  /**
   * @returns The bytes, verified against the CID.
   * @throws {KeysteadError} With a message that can be shown to the user.
   */
  readonly read: (cid: string) => Promise<Uint8Array>;
};

/** The time limit of a look-up in milliseconds, while the user waits for the screen. */
const TIMEOUT = 5000;
const MAX_BYTES = 1_000_000;
/** The maximum number of contracts cached while the snap runs. */
const MAX_REMEMBERED = 50;

const NOTHING: ContractFacts = {};

async function lookUp(
  chainId: bigint,
  address: Hex,
  { node: nodeOf, files: filesOf }: ContractSources,
  signal: AbortSignal,
): Promise<ContractFacts> {
  // Without a storage service, do not contact the node either.
  const files = await filesOf();
  const node = files && (await nodeOf(chainId));
  if (files === undefined || node === undefined) return NOTHING;
  const cid = metadataCid(await implementationCode(address, node, signal));
  if (cid === undefined) return NOTHING;
  const file = await files.read(cid);
  if (file.length > MAX_BYTES) return { failure: 'the file is too large' };
  return factsOfMetadata(file) ?? { failure: 'the file is not contract metadata' };
}

/** The same, with errors as failures. */
async function settledLookUp(chainId: bigint, address: Hex, sources: ContractSources): Promise<ContractFacts> {
  try {
    return await within(
      TIMEOUT,
      (signal) => lookUp(chainId, address, sources, signal),
      () => ({ failure: `there was no response within ${TIMEOUT / 1000} s` }),
    );
  } catch (error) {
    return { failure: error instanceof KeysteadError ? error.message : 'an unexpected error occurred.' };
  }
}

/**
 * Looks up the metadata that the author of a contract published. The CID at the end of the contract's code identifies
 * the file, which comes from the storage service. The node learns which contract is looked up, and the storage service
 * learns which file. The CID binds the file to the code but does not prove that its content is true.
 */
export function contractLookUp(sources: ContractSources): LookUpContract {
  const remembered = new LruCache<string, ContractFacts>(MAX_REMEMBERED);
  return async (chainId, address) => {
    const key = contractKey(chainId, address);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const facts = await settledLookUp(chainId, address, sources);
    if ('functions' in facts) remembered.set(key, facts);
    return facts;
  };
}
