import { getAddress, pad } from 'viem';

import { ledgerSource } from '../../clients/ledger-node';
import { within } from '../../clients/within';
import { isIn } from '../../core/eth/address';
import { type Hex, lowerCase } from '../../core/eth/bytes';
import { counted } from '../../core/eth/units';
import { KeysteadError, ServiceRefusedError, ServiceSilentError } from '../../core/errors';
import { type LogSource, scan, type ScanProgress } from '../../core/ledger/scan';
import { unpackLogs } from '../../core/ledger/packed-logs';
import { type NodeReader } from '../../core/safe/recovery/answer';
import { type RecoveryModule, recoveryModuleAt } from '../../core/safe/recovery/modules';
import { readRecovery } from '../../core/safe/recovery/state';
import { type AnyWallet } from './any-wallet';
import { messageOf } from './errors';
import { readerOf } from './recovery';

/** A Safe of which an account is a guardian. */
export type Guarded = { readonly safe: Hex; readonly module: Hex };

/** How far a search for Safes is. */
export type GuardedSearch = Pick<ScanProgress, 'requestsLeft'> & {
  readonly found: readonly Guarded[];
  /** Why not everything was searched. */
  readonly refusal: string | undefined;
};

/** `GuardianAdded(address indexed wallet, address indexed guardian)` of the modules. */
const GUARDIAN_ADDED = '0xbc3292102fa77e083913064b282926717cdfaede4d35f553d66366c0a3da755a';

/** Anyone can name an account a guardian of Safes of their own. So many, the newest first, are looked at. */
const MAX_SAFES = 100;

/** So many requests, one after the other, take a node some minutes. */
const MAX_REQUESTS = 1000;

/** Milliseconds that a wallet's node may take for one answer. */
const ANSWER_LIMIT = 15_000;

/** What guards are asked of: the chain, and its logs. */
export type GuardedNode = { readonly node: NodeReader; readonly logs: LogSource };

/** The node that a wallet uses on the selected network. Its errors are those of a node. */
export function nodeOfWallet({ name, request }: AnyWallet, modules: readonly RecoveryModule[]): GuardedNode {
  const title = `the node of ${name}`;
  const reader = readerOf(name, request);
  const node: NodeReader = {
    ask: (method, params, result) =>
      within(
        ANSWER_LIMIT,
        () => reader.ask(method, params, result),
        () => {
          throw new ServiceSilentError(`T${title.slice(1)} did not respond within ${ANSWER_LIMIT / 1000} s.`);
        },
      ).catch((error: unknown) => {
        const message = messageOf(error);
        throw error instanceof KeysteadError ? error : new ServiceRefusedError(message, { code: -32_000, message });
      }),
  };
  const chainId = async (): Promise<bigint> => BigInt(await request<string>('eth_chainId'));
  const address = modules.map((module) => module.address);
  return { node, logs: ledgerSource({ ...node, title, chainId }, { address }) };
}

/**
 * Finds the Safes of which an account is a guardian, in the logs of the modules, the newest first. Each is then asked
 * for its guardians.
 *
 * @returns How far the search is, after each request: none of those Safes that do not name the account a guardian now,
 * whatever the logs say.
 * @throws {KeysteadError} If the node cannot be reached, or answers what was not asked for.
 */
export async function* guardedBy(
  guardian: Hex,
  modules: readonly RecoveryModule[],
  { node, logs }: GuardedNode,
): AsyncGenerator<GuardedSearch, void, undefined> {
  const looked = new Map<string, readonly Guarded[] | 'unread'>();
  let requests = 0;
  for await (const { state, requestsLeft, refusal } of scan([[GUARDIAN_ADDED, null, pad(lowerCase(guardian))]], logs)) {
    const places = new Map(
      [...unpackLogs(state().logs)].reverse().flatMap(({ address, topics: [, safe = ''] }) => {
        const module = recoveryModuleAt(address, modules);
        const place = { module, safe: getAddress(`0x${safe.slice(26)}`) };
        return module === undefined ? [] : [[`${address} ${safe}`, { ...place, module }] as const];
      }),
    );
    for (const [key, { safe, module }] of places) {
      if (looked.has(key) || looked.size === MAX_SAFES) continue;
      const now = await readRecovery(safe, module, node).catch(() => 'unread' as const);
      const isGuardian = now !== 'unread' && now?.isEnabled === true && isIn(now.guardians, guardian);
      looked.set(key, now === 'unread' ? now : isGuardian ? [{ safe, module: module.address }] : []);
    }
    const all = [...looked.values()];
    const isPartial = places.size > all.length || all.includes('unread');
    const isTooLong = requests++ === MAX_REQUESTS && requestsLeft > 0;
    yield {
      found: all.flatMap((one) => (one === 'unread' ? [] : one)),
      requestsLeft: isTooLong ? 0 : requestsLeft,
      refusal: isTooLong
        ? `The search took ${MAX_REQUESTS} requests and was ended before the oldest blocks.`
        : (refusal ??
          (isPartial && requestsLeft === 0
            ? `${counted(places.size, 'account')} named this one as a guardian, and not all of them could be looked at.`
            : undefined)),
    };
    if (isTooLong) break;
  }
}
