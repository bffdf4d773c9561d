import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem';

import { MULTICALL3 } from '../../src/clients/multicall';

const ABI = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] results)',
]);

type Call = { readonly to: Hex; readonly data: Hex };

/** @returns The calls in a call of Multicall3; undefined if it is for another contract. */
export const callsTogether = ({ to, data }: Call): readonly Call[] | undefined =>
  to.toLowerCase() === MULTICALL3
    ? decodeFunctionData({ abi: ABI, data }).args[0].map(({ target, callData }) => ({ to: target, data: callData }))
    : undefined;

/** @returns What Multicall3 answers; undefined stands for a call that reverts. */
export const answersTogetherAs = (answers: readonly (Hex | undefined)[]): Hex =>
  encodeFunctionResult({
    abi: ABI,
    functionName: 'aggregate3',
    result: answers.map((returnData) => ({ success: returnData !== undefined, returnData: returnData ?? '0x' })),
  });
