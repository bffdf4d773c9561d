import { type LookUpAsset, type LookUpName } from '../../network/tokens/look-up';
import { type Hex } from '../../../core/eth/bytes';
import { type Shard } from '../../../core/decode/descriptors/descriptor';
import {
  type ContractFacts,
  type ContractMetadata,
  contractKey,
  NO_METADATA,
  type Token,
  type Lookup,
} from '../../../core/decode/metadata/contract-metadata';
import { type Explanation, type Found } from '../../../core/decode/explanation';
import { type ReadFile } from '../../wallet/client';

/**
 * Looks up what the author of a contract published. Never rejects: the result contains the reason if there is nothing.
 */
export type LookUpContract = (chainId: bigint, address: Hex) => Promise<ContractFacts>;

/** A look-up may lead to further ones, for calls nested in a described call. */
const MAX_ROUNDS = 6;
const MAX_CONTRACTS = 5;
const MAX_TOKENS = 20;

type Tokens = Readonly<Record<string, Token>>;

const isBeside = (lookup: Lookup): boolean => lookup.kind === 'shard' && lookup.of === 'beside';
const isMeaning = (lookup: Lookup): boolean =>
  (lookup.kind === 'shard' && !isBeside(lookup)) || (lookup.kind === 'tokens' && lookup.decides === true);

/**
 * Looks up the metadata that explanations need, in the snap's own files and in what contract authors published. Files
 * are read on demand and only once.
 */
export class Library {
  readonly #readFile: ReadFile;
  readonly #lookUpContract: LookUpContract;
  readonly #lookUpAsset: LookUpAsset;
  readonly #lookUpName: LookUpName;
  readonly #files = new Map<string, Promise<unknown>>();
  #read: ContractMetadata = NO_METADATA;

  constructor(
    readFile: ReadFile,
    lookUpContract: LookUpContract,
    lookUpAsset: LookUpAsset = () => Promise.resolve(null),
    lookUpName: LookUpName = () => Promise.resolve(null),
  ) {
    this.#readFile = readFile;
    this.#lookUpContract = lookUpContract;
    this.#lookUpAsset = lookUpAsset;
    this.#lookUpName = lookUpName;
  }

  /**
   * The snap's own files that were read since it started, without the tokens. An explanation that is made with them
   * needs to be made again less often.
   */
  get descriptions(): ContractMetadata {
    return this.#read;
  }

  /**
   * Completes an explanation for a screen, with all metadata that can be found. Never fails.
   *
   * @param others - What else is being found. It must not reject. An explanation is made as few times as it can be.
   * @param known - What the explanation was made without, although it is known.
   */
  complete(explanation: Explanation, others?: Promise<Found>, known?: Found): Promise<Explanation> {
    return this.#complete(explanation, () => true, others, known);
  }

  /**
   * Decodes nested calls and messages with the snap's own files only, to find dangers before anything is shown. No
   * service is contacted.
   */
  lookForDangers(explanation: Explanation): Promise<Explanation> {
    return this.#complete(explanation, isMeaning);
  }

  /** @returns The bundled list of known tokens, by contract; empty if MetaMask does not return the file. */
  async knownTokens(): Promise<Tokens> {
    return (await this.#file<Tokens>(FILE_OF_TOKENS)) ?? {};
  }

  async #complete(
    explanation: Explanation,
    may: (lookup: Lookup) => boolean,
    others?: Promise<Found>,
    start?: Found,
  ): Promise<Explanation> {
    let current = explanation;
    let left = others;
    let rounds = MAX_ROUNDS;
    while (rounds-- > 0 && current.unresolved !== undefined) {
      const { explainWith, known } = current.unresolved;
      const lookups = current.unresolved.lookups.filter(may);
      // Look-ups for words lead to no further ones, so they can wait for the others.
      const isLast = left !== undefined && (lookups.every(isBeside) || rounds === 0);
      if (lookups.length === 0 && !isLast) break;
      const [contractMetadata, found] = await Promise.all([this.#gather(lookups, known), isLast ? left : undefined]);
      if (isLast) {
        left = undefined;
        // Requests that lead from look-up to look-up must not use up those of what the others found.
        rounds = MAX_ROUNDS;
      }
      current = explainWith({ ...start, ...found, contractMetadata });
    }
    return current;
  }

  async #gather(lookups: readonly Lookup[], known: ContractMetadata): Promise<ContractMetadata> {
    const shards = { ...known.shards };
    const contracts = { ...known.contracts };
    const declared = { ...known.declared };
    const collections = { ...known.collections };
    let { tokens } = known;
    let tokensLeft = MAX_TOKENS - Object.keys(declared).length - Object.keys(collections).length;
    let left = MAX_CONTRACTS - Object.keys(contracts).length;
    await Promise.all(
      lookups.map(async (one) => {
        if (one.kind === 'shard') shards[one.digit] = await this.#shard(one.digit);
        else if (one.kind === 'tokens') tokens = await this.#file<Tokens>(FILE_OF_TOKENS);
        else if (one.kind === 'token')
          declared[contractKey(one.chainId, one.address)] =
            tokensLeft-- > 0 ? await this.#lookUpAsset(BigInt(one.chainId), one.address) : null;
        else if (one.kind === 'collection')
          collections[contractKey(one.chainId, one.address)] =
            tokensLeft-- > 0 ? await this.#lookUpName(BigInt(one.chainId), one.address) : null;
        else {
          const { chainId, address } = one;
          contracts[contractKey(chainId, address)] =
            left-- > 0
              ? await this.#lookUpContract(BigInt(chainId), address)
              : { failure: 'this request calls too many contracts' };
        }
      }),
    );
    return { shards, contracts, declared, collections, ...(tokens !== undefined && { tokens }) };
  }

  async #shard(digit: string): Promise<Shard | null> {
    const shard = await this.#file<Shard>(fileOfShard(digit));
    if (shard !== null) this.#read = { ...this.#read, shards: { ...this.#read.shards, [digit]: shard } };
    return shard;
  }

  /** @returns null if MetaMask does not return the file; the next explanation tries again. */
  #file<Content>(path: string): Promise<Content | null> {
    const known = this.#files.get(path);
    const read = known ?? this.#readFile(path).then((text) => this.#content(path, text));
    this.#files.set(path, read);
    return read as Promise<Content | null>;
  }

  #content(path: string, text: string | undefined): unknown {
    if (text !== undefined) return JSON.parse(text);
    this.#files.delete(path);
    return null;
  }
}

/** The path of the token list, which the build writes and the snap reads. */
export const FILE_OF_TOKENS = 'contract-metadata/tokens.json';

/** @param digit - The first digit of a selector or type hash. */
export const fileOfShard = (digit: string): string => `contract-metadata/${digit}.json`;
