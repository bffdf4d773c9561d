import { encodeFunctionData } from 'viem/utils';

import { type Hex } from '../eth/bytes';
import { ERC20_ABI } from './abi';
import { entriesOf } from './history';
import { usedTokens } from './holdings';
import { type ChainState } from './chain-state';
import { type PlacedLog } from './placed-log';

/** An amount of a token (ERC-20) that came or went without a log, so that the token itself changed the balance. */
export type UnloggedChange = {
  readonly token: Hex;
  /** In the token's smallest unit, negative for what went. */
  readonly net: bigint;
  /** It was seen at this block, and its Unix time in seconds. */
  readonly block: bigint;
  readonly time: bigint;
};

const sumOf = <Key>(sums: Map<Key, bigint>, key: Key, net: bigint): Map<Key, bigint> =>
  sums.set(key, (sums.get(key) ?? 0n) + net);

/**
 * Compares the balances of an account at one block with what the logs say, for the tokens that it used.
 *
 * @param logs - All of the account up to that block, in order.
 * @param known - What earlier comparisons found.
 * @returns The known ones, and those that happened since.
 */
export async function unloggedChanges(
  logs: Iterable<PlacedLog>,
  account: Hex,
  known: readonly UnloggedChange[],
  { calls, block, time }: ChainState,
): Promise<readonly UnloggedChange[]> {
  const used = usedTokens(logs, account);
  const sums = new Map<Hex, bigint>();
  for (const { movements } of entriesOf(logs, account, used))
    for (const { asset, net } of movements)
      if (asset.kind === 'erc20' && used.has(asset.token)) sumOf(sums, asset.token, net);
  const logged = new Map(sums);
  for (const { token, net } of known) sumOf(sums, token, net);
  const tokens = [...logged.keys()];
  const data = encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [account] });
  const answers = await calls(tokens.map((to) => ({ to, data })));
  const since = tokens.flatMap((token, at) => {
    const answer = answers[at];
    if (answer === undefined || answer.length < 66) return [];
    const balance = BigInt(answer.slice(0, 66));
    // A token that logs more transfers out than there was to send may lie about them.
    if (balance === 0n && (logged.get(token) ?? 0n) < 0n) return [];
    const net = balance - (sums.get(token) ?? 0n);
    return net === 0n ? [] : [{ token, net, block, time }];
  });
  return [...known, ...since];
}
