import { type Abi, type Hex } from 'viem';

import { peer } from './peers';
import { type Code, compileFile } from './solc';

export type Contract = { readonly abi: Abi; readonly bytecode: Hex; readonly runtime: Hex };

const NAME = 'preview-contracts.sol';
const OUTPUTS = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'];

const hexOf = (code: Code | undefined): Hex => `0x${code?.object ?? ''}`;

/** @returns The contracts that previews are tested with, compiled with the OpenZeppelin contracts they extend. */
export const compilePreviewContracts = (): Readonly<Record<string, Contract>> =>
  Object.fromEntries(
    Object.entries(compileFile(NAME, { outputSelection: { [NAME]: { '*': OUTPUTS } } })).map(
      ([
        name,
        {
          abi,
          evm: { bytecode, deployedBytecode },
        },
      ]) => [name, { abi, bytecode: hexOf(bytecode), runtime: hexOf(deployedBytecode) }],
    ),
  );

type HardhatArtifact = { readonly abi: Abi; readonly bytecode: string };

/** @returns The factory of Uniswap v2, as it is deployed. */
export function uniswapFactory(): Pick<Contract, 'abi' | 'bytecode'> {
  const { abi, bytecode } = peer<HardhatArtifact>('@uniswap/v2-core/build/UniswapV2Factory.json');
  return { abi, bytecode: `0x${bytecode.replace(/^0x/u, '')}` };
}
