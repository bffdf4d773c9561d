import { compileContractMetadata } from '../../scripts/contract-metadata';
import { type ContractFacts, type Token } from '../../src/core/decode/metadata/contract-metadata';
import { type Explanation } from '../../src/core/decode/explanation';
import { FILE_OF_TOKENS, Library, type LookUpContract } from '../../src/snap/explain/metadata/library';

const { files, compiled } = compileContractMetadata();

export { compiled };

/** The tokens in the snap's own file. */
export const bundledTokens = files[FILE_OF_TOKENS] as Readonly<Record<string, Token>>;

const texts = new Map<string, string>();

/** The snap's files as the build writes them. `read` lists the files that were read. */
export function bundledFiles() {
  const read: string[] = [];
  return {
    read,
    readFile: (path: string): Promise<string | undefined> => {
      read.push(path);
      const content = files[path];
      if (content !== undefined && !texts.has(path)) texts.set(path, JSON.stringify(content));
      return Promise.resolve(texts.get(path));
    },
  };
}

const nothing: LookUpContract = () => Promise.resolve<ContractFacts>({});

/** A library over the files that the build writes. */
export const bundledLibrary = (lookUp = nothing): Library => new Library(bundledFiles().readFile, lookUp);

/** All metadata in the snap's own files. */
export const toldWhole = (explanation: Explanation): Promise<Explanation> => bundledLibrary().complete(explanation);
