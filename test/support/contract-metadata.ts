import { compileContractMetadata } from '../../scripts/contract-metadata';
import { type ContractFacts } from '../../src/core/decode/metadata/contract-metadata';
import { type Explanation } from '../../src/core/decode/explanation';
import { Library, type LookUpContract } from '../../src/snap/contract-metadata/library';

const { files, compiled } = compileContractMetadata();

export { compiled };

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
