import { encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem';

import { type Simulation } from '../../src/core/decode/effects/outcome';
import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { KINDS } from '../../src/core/erc4337/kinds';
import { operationCalls } from '../../src/core/erc4337/operation-calls';
import { type Call } from '../../src/core/erc4337/user-operation';

const CHAIN_ID = 31_337n;
export const OWNER: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const PERSON: Hex = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';

const SIMPLE = KINDS['simple-account-0.7'];
const DEPLOYMENT = { factory: SIMPLE.factory, owner: OWNER, salt: 0n };
/** A smart account of the owner that is not deployed. */
export const SMART_ACCOUNT = SIMPLE.address(DEPLOYMENT);

/** What is previewed, by name: the same simulations wherever they are recorded and measured. */
export function previewFlows(token: Hex): Readonly<Record<string, Simulation>> {
  const ofToken = (functionName: 'transfer' | 'approve', amount: bigint): Call => ({
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName, args: [PERSON, amount] }),
  });
  const coins: Call = { to: PERSON, value: parseEther('0.5'), data: '0x' };
  const three = [ofToken('transfer', 5n), ofToken('approve', 250n), coins];
  const ofOwner = (calls: readonly Call[]): Simulation => ({
    chainId: CHAIN_ID,
    account: OWNER,
    calls: calls.map((call) => ({ from: OWNER, ...call })),
  });
  const operation = {
    sender: SMART_ACCOUNT,
    initCode: SIMPLE.initCode(DEPLOYMENT),
    callData: SIMPLE.encodeCalls(three),
  };
  return {
    'coins are sent': ofOwner([coins]),
    'a token is sent': ofOwner([ofToken('transfer', 5n)]),
    'three calls: a token, an allowance, coins': ofOwner(three),
    'a user operation that deploys its account and makes these calls': {
      chainId: CHAIN_ID,
      account: SMART_ACCOUNT,
      calls: operationCalls(operation, { entryPoint: ENTRY_POINTS['0.7'] }),
    },
  };
}
