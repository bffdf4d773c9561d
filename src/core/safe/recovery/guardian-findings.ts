import { isIn } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { type ExaminedSafe, type Finding, isDue } from './finding';
import { delayInWords, LEAST_PERIOD } from './modules';
import { type Recoverable } from './situation';

/** Guardians whose keys come from the account's own phrase. */
const ofPhraseFinding = (own: readonly Hex[], others: number, threshold: bigint): Finding => ({
  loss: `These guardians have keys of your recovery phrase, so they are lost and stolen with it: ${own.join(', ')}.${
    BigInt(others) < threshold
      ? ` Only ${others} of the ${threshold} that must confirm would be left, so nobody could recover the account through this module.`
      : ''
  }`,
  advice: 'Choose guardians whose keys come from elsewhere.',
  next: 'set-guardians',
});

/** What guardians who are set could do or fail to do. Those of the same phrase do not count. */
function faultsOf(
  { module, state: { guardians, threshold } }: Recoverable,
  ofPhrase: readonly Hex[],
): readonly Finding[] {
  const delay = delayInWords(module.period);
  const own = guardians.filter((guardian) => isIn(ofPhrase, guardian));
  const count = guardians.length - own.length;
  const next = 'set-guardians';
  // What follows is about those who count, also if the account has more.
  const [one, any, all] =
    own.length > 0
      ? [
          'Without them, one guardian is left, who',
          `Without them, any one of the ${count} others`,
          `all ${count} others`,
        ]
      : ['Its one guardian', `Any one of its ${count} guardians`, `All ${count} guardians`];
  const faults: readonly (Finding | false)[] = [
    own.length > 0 && ofPhraseFinding(own, count, threshold),
    count === 1 &&
      threshold === 1n && {
        loss: `${one} alone can give the account to a new owner after ${delay}. If the guardian is lost, nobody can recover the account through this module.`,
        advice: 'Add a second guardian.',
        next,
      },
    count > 1 &&
      threshold === 1n && {
        loss: `${any} alone can give the account to a new owner after ${delay}.`,
        advice: 'Let at least two confirm.',
        next,
      },
    module.period < LEAST_PERIOD && {
      loss: `Its guardians can give the account to a new owner after only ${delay}, which leaves too little time to notice that and cancel.`,
      advice: 'Turn recovery off, then on again with a longer delay.',
      next,
    },
    count > 1 &&
      threshold === BigInt(count) && {
        loss: `${own.length > 0 ? 'Without them, ' : ''}${all} have to confirm a recovery. If one of them cannot, nobody can recover the account through this module.`,
        advice: 'Add a guardian, or let fewer confirm.',
        next,
      },
  ];
  return faults.filter((fault) => fault !== false);
}

/** Says that guardians have begun to replace the owners. */
export const pendingFindings = ({ state: { pending } }: Recoverable, { timeOf }: ExaminedSafe): readonly Finding[] =>
  pending === undefined
    ? []
    : [
        {
          loss: `A recovery has begun: from ${timeOf(pending.executeAfter)} on, the account can be given to ${pending.newOwners.slice(0, 3).join(', ')}.`,
          advice: 'If you did not ask for this, cancel it now, at the top of this page.',
          next: 'none',
        },
      ];

/** @returns What is due with guardians, in words; undefined if each has practised within a year. */
function duePractice(guardians: readonly Hex[], { practised, now }: ExaminedSafe) {
  const due = guardians.filter((guardian) => isDue(practised(guardian), now));
  if (due.length === 0) return undefined;
  return `Ask ${due.length === guardians.length ? 'each' : `${due.length} of them`} for a practice run, which is due once a year.`;
}

/** Says what the guardians of a module could do or fail to do, and what is due with them. */
export function guardianFindings(recoverable: Recoverable, examined: ExaminedSafe): readonly Finding[] {
  const { ofPhrase, isImported } = examined;
  const { module, state } = recoverable;
  const { guardians, threshold, isEnabled } = state;
  if (!isEnabled)
    return [
      {
        loss: 'Its recovery module is switched off, so its guardians cannot recover it. They would be back if the module were switched on again.',
        advice: 'Turn recovery on again, or turn it off for good.',
        next: 'set-guardians',
      },
    ];
  if (guardians.length === 0)
    return [
      {
        loss: 'Its recovery module is switched on, but has no guardians, so nobody can recover the account through it.',
        advice: 'Choose guardians.',
        next: 'set-guardians',
      },
    ];
  const faults = faultsOf(recoverable, ofPhrase);
  const due = duePractice(guardians, examined);
  if (faults.length > 0)
    return due === undefined
      ? faults
      : [...faults, { loss: 'A guardian’s key may be lost by now.', advice: due, next: 'set-guardians' }];
  return [
    {
      loss: `If you lose your ${isImported ? 'private key' : 'phrase'}, ${threshold} of your ${guardians.length} guardians can give the account to a new one after ${delayInWords(module.period)}.`,
      advice:
        due ?? `${state.pending === undefined ? 'Nothing to do. ' : ''}Each guardian has practised within a year.`,
      next: due === undefined ? 'none' : 'set-guardians',
    },
  ];
}
