import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import { type Abi } from 'viem';

import { peer, peerFile } from './peers';

type Solc = {
  readonly compile: (input: string, callbacks: { import: (path: string) => { contents: string } }) => string;
};

export type Code = { readonly object: string };

/** Of each contract in a file, by name. `deployedBytecode` is there if it was asked for. */
export type Compiled = Readonly<
  Record<
    string,
    { readonly abi: Abi; readonly evm: { readonly bytecode: Code; readonly deployedBytecode?: Code | undefined } }
  >
>;

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Compiled>>;
};

/**
 * Compiles a file of this folder, with the packages of the peers that it imports. Loading the compiler and compiling
 * take seconds, so the output is kept beside the peers: a changed source, setting or peer gives another one.
 *
 * @param name - The file, in `test/support/chain`.
 * @param settings - As the compiler takes them.
 * @returns The contracts of the file.
 * @throws With the compiler's first error.
 */
export function compileFile(name: string, settings: object): Compiled {
  const content = readFileSync(`${process.cwd()}/test/support/chain/${name}`, 'utf8');
  const input = JSON.stringify({ language: 'Solidity', sources: { [name]: { content } }, settings });
  const versions = readFileSync(peerFile('.package-lock.json'));
  const digest = createHash('sha256').update(versions).update(input).digest('hex');
  const kept = peerFile(`.compiled-${name}-${digest.slice(0, 32)}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Compiled;
  const imported = (path: string) => ({ contents: readFileSync(peerFile(path), 'utf8') });
  const output = JSON.parse(peer<Solc>('solc').compile(input, { import: imported })) as Output;
  const failure = output.errors?.find(({ severity }) => severity === 'error');
  if (failure !== undefined) throw new Error(failure.formattedMessage);
  const contracts = output.contracts[name] ?? {};
  // Another test file may be writing the same one.
  const written = `${kept}.${process.pid}`;
  writeFileSync(written, JSON.stringify(contracts));
  renameSync(written, kept);
  return contracts;
}
