import { type AbiParameter } from 'viem';
import { toFunctionSelector } from 'viem/utils';

import { abiTypes } from '../../../core/decode/metadata/abi-json';
import { signatureOf } from '../../../core/eth/abi';
import { type ContractFacts, type DescribedFunction, entryOf } from '../../../core/decode/metadata/contract-metadata';
import { array, membersOf, optional, string, type, unknown } from '../../../core/structs/struct';

/** Far more than a real contract has. Each function costs a hash. */
const MAX_FUNCTIONS = 500;

/** The used fields of a contract's metadata (Solidity, "Contract Metadata"). */
const MetadataStruct = type({
  output: type({
    abi: array(type({ type: string(), name: optional(string()), inputs: optional(array(unknown())) })),
    userdoc: optional(type({ methods: optional(membersOf(unknown())) })),
  }),
  settings: optional(type({ compilationTarget: optional(membersOf(string())) })),
});

const NamedStruct = type({ name: optional(string()), type: string(), components: optional(array(unknown())) });
const NoticeStruct = type({ notice: string() });

/** Deeper than any real type. */
const MAX_DEPTH = 8;

const areParameters = (values: readonly unknown[], depth = 0): values is AbiParameter[] =>
  depth < MAX_DEPTH &&
  values.every((value) => NamedStruct.is(value) && areParameters(value.components ?? [], depth + 1));

/** viem parses a signature as Solidity source. Only a plain identifier is certain to be hashed unchanged. */
const NAME = /^[\w$]+$/u;

/**
 * Reads the descriptions of a contract's functions from its metadata.
 *
 * @param file - The metadata file, already verified against the CID in the contract's code.
 * @returns The descriptions, or undefined if the file is not contract metadata.
 */
export function factsOfMetadata(file: Uint8Array): ContractFacts | undefined {
  let metadata: unknown;
  try {
    metadata = JSON.parse(new TextDecoder().decode(file));
  } catch {
    return undefined;
  }
  if (!MetadataStruct.is(metadata)) return undefined;
  const { abi, userdoc } = metadata.output;
  const functions: Record<string, DescribedFunction> = {};
  for (const { type: kind, name = '', inputs = [] } of abi.slice(0, MAX_FUNCTIONS)) {
    const types = kind === 'function' && NAME.test(name) && areParameters(inputs) ? abiTypes(inputs) : undefined;
    if (types === undefined) continue;
    const signature = signatureOf(name, types);
    const doc = entryOf(userdoc?.methods ?? {}, signature);
    functions[toFunctionSelector(signature).slice(2)] = {
      name,
      inputs: inputs as AbiParameter[],
      ...(NoticeStruct.is(doc) && { notice: doc.notice }),
    };
  }
  const [name] = Object.values(metadata.settings?.compilationTarget ?? {});
  return { functions, ...(name !== undefined && { name }) };
}
