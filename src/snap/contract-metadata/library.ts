import { type Hex } from '../../core/eth/bytes';
import { type Shard } from '../../core/decode/descriptors/descriptor';
import { type ContractFacts, type Knowledge, NOTHING_KNOWN, placeOf, type Wanted } from '../../core/decode/knowledge';
import { type Token } from '../../core/decode/tokens';
import { type Explanation } from '../../core/decode/types';
import { type ReadFile } from '../platform/files';
import { FILE_OF_TOKENS, fileOfShard } from './files';

/** What the maker of a contract published. It never fails: why there is nothing is part of the answer. */
export type LookUpContract = (chainId: bigint, address: Hex) => Promise<ContractFacts>;

/** What is looked up can ask for more: a call in a call in a described call. */
const MAX_ROUNDS = 6;
const MAX_CONTRACTS = 5;

type Tokens = Readonly<Record<string, Token>>;

const isCall = (wanted: Wanted): boolean => wanted.kind === 'shard' && wanted.of === 'call';

/**
 * Looks up what explanations want: in the files of the snap, and what makers of contracts published. Nothing is
 * read before something wants it, and no file twice.
 */
export class Library {
  readonly #readFile: ReadFile;
  readonly #lookUpContract: LookUpContract;
  readonly #files = new Map<string, Promise<unknown>>();

  constructor(readFile: ReadFile, lookUpContract: LookUpContract) {
    this.#readFile = readFile;
    this.#lookUpContract = lookUpContract;
  }

  /** An explanation with everything that can be found out: for a screen. It never fails. */
  complete(explanation: Explanation): Promise<Explanation> {
    return this.#complete(explanation, () => true);
  }

  /**
   * An explanation in which calls are looked into as far as the snap's own files describe them: the calls inside
   * may be dangerous. It is read for that before anything is shown; nobody else learns of it.
   */
  lookForDangers(explanation: Explanation): Promise<Explanation> {
    return this.#complete(explanation, isCall);
  }

  async #complete(explanation: Explanation, may: (wanted: Wanted) => boolean): Promise<Explanation> {
    let knowledge = NOTHING_KNOWN;
    let told = explanation;
    for (let round = 0; round < MAX_ROUNDS && told.open !== undefined; round++) {
      const wanted = told.open.wanted.filter(may);
      if (wanted.length === 0) break;
      knowledge = await this.#gather(wanted, knowledge);
      told = told.open.again(knowledge);
    }
    return told;
  }

  async #gather(wanted: readonly Wanted[], known: Knowledge): Promise<Knowledge> {
    const shards = { ...known.shards };
    const contracts = { ...known.contracts };
    let { tokens } = known;
    let left = MAX_CONTRACTS - Object.keys(contracts).length;
    await Promise.all(
      wanted.map(async (one) => {
        if (one.kind === 'shard') shards[one.digit] = await this.#file<Shard>(fileOfShard(one.digit));
        else if (one.kind === 'tokens') tokens = await this.#file<Tokens>(FILE_OF_TOKENS);
        else {
          const { chainId, address } = one;
          contracts[placeOf(chainId, address)] =
            left-- > 0
              ? await this.#lookUpContract(BigInt(chainId), address)
              : { failure: 'this request calls too many contracts' };
        }
      }),
    );
    return { shards, contracts, ...(tokens !== undefined && { tokens }) };
  }

  /** @returns null where the wallet does not give the file: the next explanation asks for it again. */
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
