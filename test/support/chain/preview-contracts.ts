import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Abi, type Hex } from 'viem';

import { peer, peerFile } from './peers';

export type Contract = { readonly abi: Abi; readonly bytecode: Hex; readonly runtime: Hex };

type Solc = {
  readonly compile: (input: string, callbacks: { import: (path: string) => { contents: string } }) => string;
};
type Code = { readonly object: string };
type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<string, Record<string, { abi: Abi; evm: { bytecode: Code; deployedBytecode: Code } }>>
  >;
};

const NAME = 'preview-contracts.sol';

/** @returns The contracts that previews are tested with, compiled with the OpenZeppelin contracts they extend. */
export function compilePreviewContracts(): Readonly<Record<string, Contract>> {
  const input = {
    language: 'Solidity',
    sources: { [NAME]: { content: readFileSync(join(process.cwd(), 'test/support/chain', NAME), 'utf8') } },
    settings: { outputSelection: { [NAME]: { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } } },
  };
  const imported = (path: string) => ({ contents: readFileSync(peerFile(path), 'utf8') });
  const { errors = [], contracts } = JSON.parse(
    peer<Solc>('solc').compile(JSON.stringify(input), { import: imported }),
  ) as Output;
  const failure = errors.find(({ severity }) => severity === 'error');
  if (failure !== undefined) throw new Error(failure.formattedMessage);
  return Object.fromEntries(
    Object.entries(contracts?.[NAME] ?? {}).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}`, runtime: `0x${evm.deployedBytecode.object}` },
    ]),
  );
}

type HardhatArtifact = { readonly abi: Abi; readonly bytecode: string };

/** @returns The factory of Uniswap v2, as it is deployed. */
export function uniswapFactory(): Pick<Contract, 'abi' | 'bytecode'> {
  const { abi, bytecode } = peer<HardhatArtifact>('@uniswap/v2-core/build/UniswapV2Factory.json');
  return { abi, bytecode: `0x${bytecode.replace(/^0x/u, '')}` };
}
