import { explainTypedData } from '../../src/core/decode/explain/typed-data';
import { type Hex, toHex } from '../../src/core/eth/bytes';
import { type TypedData, typedDataDigest } from '../../src/core/eth/typed-data';
import { type ChainState, type Read } from '../../src/core/ledger/chain-state';
import { type Kept, keptOf } from '../../src/core/ledger/signed/kept';
import { type Status, statusesAt } from '../../src/core/ledger/signed/status';

/** The account that signs. */
export const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
export const NOW = 1_800_000_000n;

export const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/** The domain of a contract on Ethereum. */
export const at = (contract: Hex, name = 'Token'): Record<string, unknown> => ({
  name,
  version: '1',
  chainId: 1,
  verifyingContract: contract,
});

/** What Keystead keeps of typed data that the account signs. */
export function kept(data: TypedData, more: Partial<Kept> = {}): Kept {
  const explanation = explainTypedData(data, { signer: ACCOUNT, now: NOW });
  const facts = { account: ACCOUNT, origin: 'https://dapp.example', at: 1, chainId: 'eip155:1' } as const;
  const found = keptOf(explanation, { ...facts, hash: toHex(typedDataDigest(data)) }, data);
  if (found === undefined) throw new Error(`“${explanation.title}” is not kept`);
  return { ...found, ...more };
}

/** A node that gives each call the same answer. */
export const nodeOf = (answer: Hex | undefined, more: Partial<ChainState> = {}): ChainState => ({
  block: 1n,
  time: NOW,
  calls: (reads: readonly Read[]) => Promise.resolve(reads.map(() => answer)),
  reverts: () => Promise.resolve(undefined),
  code: () => Promise.resolve('0x'),
  nonce: () => Promise.resolve(0n),
  storage: () => Promise.resolve(0n),
  timeOf: () => Promise.resolve(NOW),
  ...more,
});

/** What a node says of one signature. */
export const statusOf = async (one: Kept, answer: Hex | undefined, more?: Partial<ChainState>): Promise<Status> =>
  (await statusesAt([one], ACCOUNT, nodeOf(answer, more)))[0]!;
