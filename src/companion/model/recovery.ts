import { getAddress } from 'viem';
import { getBalance, getGasPrice } from 'viem/actions';

import { cancelSentence, guardiansSentence } from '../../core/decode/words/own-changes';
import { isIn, isSameAddress } from '../../core/eth/address';
import { type Hex, lowerCase } from '../../core/eth/bytes';
import { ServiceFailedError } from '../../core/errors';
import { MODULE_4337 } from '../../core/safe/contracts';
import { type AccountNotice, type WatchedModule } from '../../core/methods/results';
import { assertAnswer, type NodeReader } from '../../core/safe/recovery/answer';
import { confirmedBy } from '../../core/safe/recovery/approvals';
import { type Guardians, type Guarding } from '../../core/safe/recovery/calls';
import { CONTRADICTION, nodesThat } from '../../core/safe/recovery/notice';
import { type PendingRecovery } from '../../core/safe/recovery/pending';
import { RECOVERY_MODULES, type RecoveryModule, recoveryModuleAt } from '../../core/safe/recovery/modules';
import { readSituation, type Recoverable, type Situation } from '../../core/safe/recovery/situation';
import { readRecovery, type RecoveryState } from '../../core/safe/recovery/state';
import { isImported, shortAddress } from './account-name';
import { InvalidFieldError } from './errors';
import { networkOfChain } from './network';
import { type NodeClient, nodeOf } from './node';
import { type Proposal } from './recovery-proposal';
import { type Sheet } from './sheet';
import { type SnapClient } from './snap-client';
import { type Account, type Chain, type Devnet } from './types';
import { formatAmount } from './units';

/** @returns What the snap finds now: recoveries that have begun, how they ended, and what could not be seen. */
export const readRecoveries = (client: SnapClient): Promise<readonly (WatchedModule | AccountNotice)[]> =>
  client.dapp('keystead_getRecoveries');

/** Cancels a recovery. Keystead shows it and asks first. */
export const cancelRecovery = ({ account, chainId, module }: WatchedModule, client: SnapClient): Promise<Hex> =>
  client.dapp('keystead_cancelRecovery', { chainId, address: account, module });

/** @returns The recovery modules that the page knows, with the one of the devnet, which stands in for them there. */
export function modulesOf(devnet: Devnet | undefined): readonly RecoveryModule[] {
  const standIn = devnet?.recoveryModule;
  return standIn === undefined
    ? RECOVERY_MODULES
    : [{ ...standIn, period: BigInt(standIn.period) }, ...RECOVERY_MODULES];
}

type Request = (method: string, params: readonly unknown[]) => Promise<unknown>;

/**
 * Reads a chain through a node, or through the wallet of a guardian without Keystead.
 *
 * @param who - The subject of an error message.
 */
export const readerOf = (who: string, request: Request): NodeReader => ({
  ask: async (method, params, result) => {
    const answer = await request(method, params);
    try {
      return result.create(answer);
    } catch {
      throw new ServiceFailedError(`${method}: must have a valid result. ${who} returned something else.`);
    }
  },
});

/** Reads a chain through its node. */
export const nodeReader = (node: NodeClient): NodeReader =>
  readerOf('The node', (method, params) => node.request({ method, params } as never));

/** @returns The situation of a Safe on a network, as its node tells it. */
export const situationOn = (address: string, chain: Chain, modules: readonly RecoveryModule[]): Promise<Situation> =>
  readSituation(address as Hex, modules, nodeReader(nodeOf(chain)));

/** What nodes say of a Safe, by their hosts; without a situation if they do not answer. */
export type Testimony = { readonly hosts: readonly string[]; readonly situation: Situation | undefined };

/** The latest blocks of two nodes differ by a moment. */
const withoutTime = (key: string, value: unknown): unknown =>
  key === 'time' ? undefined : typeof value === 'bigint' ? String(value) : value;

/** @returns What the nodes of a network say of a Safe: nodes that say the same are together. */
export async function testimoniesOn(
  address: string,
  chain: Chain,
  modules: readonly RecoveryModule[],
): Promise<readonly [Testimony, Testimony?]> {
  const ask = async (rpcUrl: string): Promise<Testimony> => ({
    hosts: [new URL(rpcUrl).host],
    situation: await situationOn(address, { ...chain, rpcUrl }, modules).catch(() => undefined),
  });
  const [first, second] = await Promise.all([
    ask(chain.rpcUrl),
    chain.secondRpcUrl === undefined ? undefined : ask(chain.secondRpcUrl),
  ]);
  if (second === undefined) return [first];
  const [one, other] = [first, second].map(({ situation }) => JSON.stringify(situation, withoutTime));
  return one === other ? [{ ...first, hosts: [...first.hosts, ...second.hosts] }] : [first, second];
}

/**
 * @returns What all nodes of a network say of a Safe.
 * @throws If one does not answer, or they contradict each other.
 */
export async function agreedOn(
  address: string,
  chain: Chain,
  modules: readonly RecoveryModule[],
): Promise<Testimony & { readonly situation: Situation }> {
  // With one node, its error says more.
  if (chain.secondRpcUrl === undefined)
    return { hosts: [new URL(chain.rpcUrl).host], situation: await situationOn(address, chain, modules) };
  const [{ hosts, situation }, other] = await testimoniesOn(address, chain, modules);
  const silent =
    situation === undefined ? hosts : other !== undefined && other.situation === undefined ? other.hosts : [];
  if (situation === undefined || silent.length > 0)
    throw new Error(`Keystead could not read the account: ${nodesThat(silent, 'does', 'do')} not answer.`);
  if (other !== undefined)
    throw new Error(`${CONTRADICTION.title}: ${[...hosts, ...other.hosts].join(', ')}. ${CONTRADICTION.advice}`);
  return { hosts, situation };
}

/**
 * More recoveries than any account has had. A node that could choose the number freely would choose it together with
 * owners of its own, and find two recoveries with the same words after 2^33 guesses.
 */
const MOST_RECOVERIES = 100n;

/**
 * @param sheet - The account; the network tells its module if the sheet does not.
 * @returns What all nodes of a network say of an account whose phrase was lost, and of its guardians.
 * @throws If guardians cannot recover it, or the nodes do not agree on a state that it can have.
 */
export async function lostAccount(
  sheet: Pick<Sheet, 'safe' | 'module'>,
  chain: Chain,
  modules: readonly RecoveryModule[],
): Promise<Recoverable & Pick<Testimony, 'hosts'>> {
  const { hosts, situation } = await agreedOn(sheet.safe, chain, modules);
  const wanted = sheet.module ?? moduleWithGuardians(situation);
  const found = situation.recoveries.find(({ module }) => isSameAddress(module.address, wanted));
  if (found?.state.isEnabled !== true)
    throw new Error('The network does not have the account with the recovery module of the sheet, switched on.');
  assertAnswer(found.state.nonce <= MOST_RECOVERIES, 'nonce', `must be at most ${MOST_RECOVERIES}`);
  return { ...found, hosts };
}

/** A cancellation took 132,000 gas when it was measured. Its price may double until it is needed. */
const CANCEL_GAS = 264_000n;

/** @returns What an account lacks to pay for cancelling a recovery, in words; undefined if nothing. */
export async function lackingReserve(address: Hex, chain: Chain): Promise<string | undefined> {
  if (chain.paymasterUrl !== undefined) return undefined;
  const node = nodeOf(chain);
  const [balance, price] = await Promise.all([getBalance(node, { address }), getGasPrice(node)]);
  const needed = price * CANCEL_GAS;
  const { symbol } = networkOfChain(chain);
  return balance >= needed
    ? undefined
    : `it has ${formatAmount(balance)} ${symbol}, and should have ${formatAmount(needed)} ${symbol}`;
}

/**
 * Finds the module through which guardians can recover an account. Those who have lost it need not know which it is.
 *
 * @returns The address of the module.
 * @throws {InvalidFieldError} If the account has no known module with guardians, or several.
 */
export function moduleWithGuardians({ recoveries }: Pick<Situation, 'recoveries'>): Hex {
  const [first, ...others] = recoveries.filter(({ state }) => state.isEnabled && state.guardians.length > 0);
  if (first === undefined)
    throw new InvalidFieldError(
      'safe',
      'Address: must be an account with guardians, in a module that Keystead knows. Check the address and the network',
    );
  if (others.length > 0)
    throw new InvalidFieldError(
      'module',
      'Recovery module: must be chosen, because the account has guardians in several',
    );
  return first.module.address;
}

/** @returns What the calls of an account to a module depend on; of an account that is not deployed, its first state. */
export function guardingOf(account: Account, module: RecoveryModule, situation: Situation): Guarding {
  const { recoveries, isDeployed, modules, owners } = situation;
  const found = recoveries.find((one) => isSameAddress(one.module.address, module.address));
  return (
    found?.state ?? {
      safe: account.address as Hex,
      module: module.address,
      modules: isDeployed ? modules : [MODULE_4337],
      owners: isDeployed ? owners : [account.options.owner as Hex],
      guardians: [],
      threshold: 0n,
    }
  );
}

/** @returns How an address is called, as in Keystead's dialog. */
const called =
  (name: NameOf) =>
  (address: Hex): string =>
    name(address) ?? shortAddress(getAddress(address));

/** What the page calls an address. */
type NameOf = (address: string) => string | undefined;

/**
 * @param chosen - No guardians if recovery is turned off.
 * @returns What a change of guardians comes to, in the words of Keystead's dialog.
 */
export function guardiansLine(chosen: Guardians, { period }: RecoveryModule, now: Guarding, name: NameOf): string {
  const change = {
    added: chosen.guardians.filter((one) => !isIn(now.guardians, one)),
    removed: now.guardians.filter((one) => !isIn(chosen.guardians, one)),
    threshold: chosen.threshold,
  };
  const before = { count: now.guardians.length, threshold: now.threshold };
  const turns = isIn(now.modules, now.module) ? undefined : 'on';
  const facts = { period, owners: now.owners.length, turns: chosen.guardians.length === 0 ? 'off' : turns } as const;
  return guardiansSentence(change, before, facts, called(name));
}

/** @returns What cancelling a recovery comes to, in the words of Keystead's dialog. */
export const cancelLine = (
  pending: Pick<PendingRecovery, 'newOwners' | 'executeAfter'>,
  now: bigint,
  name: NameOf,
): string => cancelSentence(pending, now, called(name));

/**
 * @returns The addresses that are lost and stolen together with an account: those of the recovery phrase. An imported
 * account shares its key with no other.
 */
export const lostTogether = (account: Account, accounts: readonly Account[]): readonly Hex[] =>
  isImported(account)
    ? []
    : accounts
        .filter((one) => !isImported(one))
        .flatMap(({ address, options: { owner } }) => (owner === undefined ? [address] : [address, String(owner)]))
        .map((address) => address as Hex);

/** @throws {InvalidFieldError} If a chosen guardian is lost and stolen together with the account. */
export function assertApart(guardians: readonly Hex[], account: Account, accounts: readonly Account[]): void {
  const own = lostTogether(account, accounts);
  const wrong = guardians.find((guardian) => own.some((one) => isSameAddress(one, guardian)));
  if (wrong !== undefined)
    throw new InvalidFieldError(
      'guardians',
      `Guardians: must not be accounts of your recovery phrase, which are lost and stolen with it, but ${wrong} is one`,
    );
}

/** How far a proposed recovery is. */
export type Standing = {
  readonly module: RecoveryModule;
  readonly state: RecoveryState;
  /** The guardians who have confirmed it on the network. */
  readonly confirmed: readonly Hex[];
  readonly stage: 'confirming' | 'waiting' | 'due' | 'finished' | 'other';
};

/**
 * How many guardians have to confirm a recovery before its delay can begin. One that replaces another takes more than
 * confirmed that one.
 */
export function confirmationsNeeded({ stage, state: { threshold, pending } }: Standing): bigint {
  const toReplace = stage === 'other' && pending !== undefined ? pending.approvals + 1n : 0n;
  return toReplace > threshold ? toReplace : threshold;
}

const sameList = (a: readonly Hex[], b: readonly Hex[]): boolean =>
  a.length === b.length && a.every((one, index) => isSameAddress(one, b[index] ?? ''));

const sameOwners = (a: readonly Hex[], b: readonly Hex[]): boolean =>
  sameList(a.map(lowerCase).sort(), b.map(lowerCase).sort());

function stageOf({ newOwners, newThreshold }: Proposal, state: RecoveryState): Standing['stage'] {
  const { pending, owners, ownersNeeded, time } = state;
  if (pending === undefined)
    return ownersNeeded === newThreshold && sameOwners(owners, newOwners) ? 'finished' : 'confirming';
  if (!sameList(pending.newOwners, newOwners) || pending.newThreshold !== newThreshold) return 'other';
  return time >= pending.executeAfter ? 'due' : 'waiting';
}

/**
 * Reads how far a proposed recovery is.
 *
 * @throws If Keystead does not know the module, the network does not have it, or the node's answers contradict each
 * other.
 */
export async function standingOf(
  proposal: Proposal,
  modules: readonly RecoveryModule[],
  node: NodeReader,
): Promise<Standing> {
  const module = recoveryModuleAt(proposal.module, modules);
  if (module === undefined)
    throw new Error('module: must be a recovery module that Keystead knows. Do not confirm this recovery.');
  const state = await readRecovery(proposal.safe, module, node);
  if (state === undefined) throw new Error('module: must be on this network, but there is no contract at its address.');
  const at = { node, block: 'latest' } as const;
  const confirmed = await confirmedBy(module.address, proposal.safe, proposal, state.guardians, at);
  return { module, state, confirmed, stage: stageOf(proposal, state) };
}

/** Seconds between two looks at the network. */
const LOOK_EVERY = 12n;

/**
 * @returns How often the network should have been asked since the delay was over: its clock is its latest block, which
 * may be behind the clock of this machine.
 */
export const looksAfter = ({ stage, state: { pending } }: Pick<Standing, 'stage' | 'state'>, now: bigint): bigint =>
  stage !== 'waiting' || pending === undefined || now < pending.executeAfter
    ? 0n
    : 1n + (now - pending.executeAfter) / LOOK_EVERY;

/** @returns The time that is left, in words: "2 d 3 h", "4 min 5 s"; at least nothing. */
export function leftInWords(seconds: bigint): string {
  if (seconds <= 0n) return '0 s';
  const [d, h, min, s] = [seconds / 86_400n, (seconds / 3600n) % 24n, (seconds / 60n) % 60n, seconds % 60n];
  if (d > 0n) return `${d} d ${h} h`;
  return h > 0n ? `${h} h ${min} min` : `${min} min ${s} s`;
}
