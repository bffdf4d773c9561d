import { type Hex } from '../../eth/bytes';

/**
 * What is to be said of an account on a network, besides recoveries that have begun: `unseen`, nodes did not say
 * whether one has; `lost`, its key is not one of its owners any more; `cancelled`, a recovery ended and its key is
 * still an owner; `disputed`, the nodes contradict each other.
 */
export type RecoveryNotice = {
  readonly notice: 'unseen' | 'lost' | 'cancelled' | 'disputed';
  /** The module that it is about; absent if it is about the whole account. */
  readonly module?: Hex;
  /** The hosts of the nodes that say so; of a dispute, that warn; of `unseen`, that did not answer. */
  readonly nodes?: readonly string[];
  /** Of a dispute, the hosts of the nodes that deny it; absent if all warn, of different recoveries. */
  readonly others?: readonly string[];
};

/** What to make of nodes that contradict each other. */
export const CONTRADICTION = {
  title: 'The nodes of a network contradict each other',
  advice: 'One is wrong or behind. Trust neither until a third agrees with one.',
};

/** A notice in words. It is never said without the names of the nodes. */
export type NoticeWords = {
  readonly title: string;
  readonly text: string;
  readonly severity: 'danger' | 'warning' | 'info';
};

/** @returns Nodes as the subject of a verb: "the nodes at a.example and b.example say". */
export const nodesThat = (nodes: readonly string[] = [], one: string, several: string): string =>
  nodes.length > 1
    ? `the nodes at ${nodes.join(' and ')} ${several}`
    : `the node${nodes.map((node) => ` at ${node}`).join('')} ${one}`;

const say = (nodes: readonly string[] | undefined): string => nodesThat(nodes, 'says', 'say');

function disputeText({ module, nodes, others }: RecoveryNotice, account: string): string {
  if (others === undefined) return `${account}: ${nodesThat(nodes, 'tells', 'tell')} of different recoveries.`;
  return module === undefined
    ? `Your key no longer controls ${account}, ${say(nodes)}; ${say(others)} that it does.`
    : `A recovery of ${account} has begun, ${say(nodes)}; ${say(others)} that none has.`;
}

/**
 * @param name - What the account is called.
 * @returns A notice in words.
 */
export function noticeWords(said: RecoveryNotice, name: string, network: string): NoticeWords {
  const { notice, nodes } = said;
  const account = `${name} on ${network}`;
  switch (notice) {
    case 'unseen':
      return {
        title: 'Recoveries not checked',
        text: `Keystead could not check whether a recovery has begun on ${network}: ${nodesThat(nodes, 'does', 'do')} not answer. It will try again.`,
        severity: 'warning',
      };
    case 'lost':
      return {
        title: 'Your key no longer controls an account',
        text: `${account} has other owners now, ${say(nodes)}. If they are not yours, send nothing to it.`,
        severity: 'danger',
      };
    case 'disputed':
      return {
        title: CONTRADICTION.title,
        text: `${disputeText(said, account)} ${CONTRADICTION.advice}`,
        severity: 'danger',
      };
    case 'cancelled':
      return {
        title: `A recovery has ended, ${say(nodes)}`,
        text: `Your key is still an owner of ${account}, ${say(nodes)}. If you did not cancel the recovery, ask another node.`,
        severity: 'info',
      };
  }
}

/** @returns Each of them once: what a node of a network does not answer is the same for all accounts there. */
export const eachOnce = (all: readonly NoticeWords[]): readonly NoticeWords[] =>
  all.filter(({ text }, at) => at === all.findIndex((one) => one.text === text));
