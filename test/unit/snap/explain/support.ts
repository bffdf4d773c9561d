import { encodeAbiParameters, type Hex, toHex } from 'viem';

import { NodeClient } from '../../../../src/clients/node';
import { type SimulatedCall, type Simulation } from '../../../../src/core/decode/effects/outcome';
import { type Log } from '../../../../src/core/schemas/receipt';
import { type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';

export const ACCOUNT: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const PERSON: Hex = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
export const TOKEN: Hex = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
export const SPENDER: Hex = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d';

export const word = (value: bigint | Hex): Hex =>
  typeof value === 'bigint' ? toHex(value, { size: 32 }) : `0x${value.slice(2).padStart(64, '0')}`;
export const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value]);

export const call = (more: Partial<SimulatedCall> = {}): SimulatedCall => ({
  from: ACCOUNT,
  to: TOKEN,
  value: 0n,
  data: '0xa9059cbb',
  ...more,
});
export const simulationOf = (...calls: SimulatedCall[]): Simulation => ({
  chainId: 31_337n,
  account: ACCOUNT,
  calls: calls.length === 0 ? [call()] : calls,
});

/** A call as the node receives it. */
export type Received = {
  readonly from: Hex;
  readonly to?: Hex;
  readonly value?: Hex;
  readonly data: Hex;
  readonly gas?: Hex;
};
/** What the node returns for a call; 'fails' is a revert without a reason. */
export type Returned = { readonly returns?: Hex; readonly logs?: readonly Log[]; readonly error?: object } | 'fails';

/** The calls that are simulated, and what is asked before and after them. Reads are calls of the zero address. */
export type Part = 'before' | 'call' | 'after';
type Behaviour = (received: Received, part: Part) => Returned | undefined;

const resultOf = (returned: Returned | undefined) => {
  if (returned === 'fails')
    return { status: '0x0', returnData: '0x', logs: [], error: { code: 3, message: 'reverted' } };
  const { returns = '0x', logs = [], error } = returned ?? {};
  return {
    status: error === undefined ? '0x1' : '0x0',
    returnData: returns,
    logs,
    gasUsed: '0x5208',
    ...(error && { error }),
  };
};

const isRead = ({ from }: Received): boolean => /^0x0{40}$/u.test(from);

/** A read, which goes through a program: the contract that is read, and what is asked of it; nothing for its coins. */
const readThrough = (received: Received): Received =>
  isRead(received)
    ? { ...received, to: `0x${received.data.slice(26, 66)}`, data: `0x${received.data.slice(66)}` }
    : received;

/** The one block in the parameters of `eth_simulateV1`. */
export const blockIn = (params: readonly unknown[]) =>
  (
    params[0] as {
      blockStateCalls: [
        {
          calls: readonly Received[];
          stateOverrides: Record<Hex, { code: Hex }>;
          blockOverrides: { prevRandao: Hex; baseFeePerGas?: Hex };
        },
      ];
    }
  ).blockStateCalls[0];

/** @returns The calls in the parameters of `eth_simulateV1`, reads as what they ask of contracts. */
export const callsIn = (params: readonly unknown[]): readonly Received[] => blockIn(params).calls.map(readThrough);

/** The result of `eth_simulateV1`, if each call comes out as said. */
export function block(params: readonly unknown[], behaviour: Behaviour): unknown {
  let part: Part = 'before';
  const calls = callsIn(params).map((received) => {
    if (!isRead(received)) part = 'call';
    else if (part === 'call') part = 'after';
    return resultOf(behaviour(received, part));
  });
  return [{ number: '0x11', calls }];
}

/** Starts a node that simulates, and a client of it. */
export async function startSimulatingNode(
  behaviour: Behaviour,
): Promise<{ readonly server: SimulatedNode; readonly node: NodeClient }> {
  const server = await startSimulatedNode({ eth_simulateV1: (params) => block(params, behaviour) });
  return { server, node: new NodeClient({ url: server.url }) };
}
