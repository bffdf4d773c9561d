import { isIn, isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { LEAST_PERIOD } from './modules';
import { type Recoverable, type Situation } from './situation';

/** A passkey, by its signer and what the page calls it. */
export type KnownPasskey = {
  readonly signer: Hex;
  readonly title: string;
  /** When it was last seen to work, in seconds since 1970 and in words; undefined if never. */
  readonly seen: { readonly at: number; readonly day: string } | undefined;
};

/** What a check-up looks at. */
export type Examined =
  | { readonly kind: 'eoa'; readonly isImported: boolean; readonly isDelegated: boolean }
  | { readonly kind: 'simple'; readonly isImported: boolean }
  | {
      readonly kind: 'safe';
      readonly isImported: boolean;
      readonly network: string;
      /** The address of the account's key. */
      readonly owner: Hex;
      /** The addresses that follow from the phrase that the account is lost with. */
      readonly ofPhrase: readonly Hex[];
      /** The passkeys that this browser knows. */
      readonly passkeys: readonly KnownPasskey[];
      /** Undefined if the network was not asked or did not answer. */
      readonly situation: Situation | undefined;
      /** When a guardian last practised, in seconds since 1970; undefined if never. */
      readonly practised: (guardian: Hex) => number | undefined;
      /** In seconds since 1970. */
      readonly now: bigint;
      /** What the account lacks for the network fee of cancelling a recovery, in words; undefined if nothing. */
      readonly lacks: string | undefined;
    };

/** What a person can do next about an account. */
export type NextStep = 'keep-phrase' | 'back-up' | 'move-to-safe' | 'set-guardians' | 'review-modules' | 'none';

/** How an account could be lost today, in words, and the next step. */
export type Finding = { readonly loss: string; readonly advice: string; readonly next: NextStep };

const DAY = 86_400n;
const HOUR = 3_600n;

/** @returns A delay in words: "3 days", "3 minutes". */
export function delayInWords(seconds: bigint): string {
  const [unit, noun] = seconds >= DAY ? [DAY, 'day'] : seconds >= HOUR ? [HOUR, 'hour'] : [60n, 'minute'];
  return counted(Number(seconds / unit), noun);
}

/** What brings the key back, and what does not. */
const keyFinding = (isImported: boolean): Pick<Finding, 'loss'> => ({
  loss: isImported
    ? 'Only its private key controls this account. Your recovery phrase does not bring it back.'
    : 'Only your recovery phrase brings this account back. If the phrase is lost, so is the account; anyone who sees the phrase can take it.',
});

function ofEoa(isImported: boolean, isDelegated: boolean): readonly Finding[] {
  const delegated: readonly Finding[] = isDelegated
    ? [
        {
          loss: 'It runs the code of a contract (EIP-7702), but its key keeps the last word: anyone who has the key can undo whatever the contract protects.',
          advice: 'Move what it holds to a Safe with guardians.',
          next: 'move-to-safe',
        },
      ]
    : [];
  const own: Finding = isImported
    ? { ...keyFinding(true), advice: 'Make a backup, or move what it holds to a Safe with guardians.', next: 'back-up' }
    : {
        ...keyFinding(false),
        advice: 'Keep the phrase in two places, or move what it holds to a Safe with guardians.',
        next: 'keep-phrase',
      };
  return [...delegated, own];
}

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

/** 9999-12-31T23:59:59Z. A node that lies may say any time. */
const LAST_YEAR = 253_402_300_799n;

/** @returns A time in words, to the minute. */
const minuteOf = (seconds: bigint): string =>
  `${new Date(Number(seconds > LAST_YEAR ? LAST_YEAR : seconds) * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Guardians have begun to replace the owners. */
const ofPending = ({ state: { pending } }: Recoverable): readonly Finding[] =>
  pending === undefined
    ? []
    : [
        {
          loss: `A recovery has begun: from ${minuteOf(pending.executeAfter)} on, the account can be given to ${pending.newOwners.slice(0, 3).join(', ')}.`,
          advice: 'If you did not ask for this, cancel it now, at the top of this page.',
          next: 'none',
        },
      ];

/** Keys that were not seen for longer may be lost. */
const YEAR = 365n * DAY;

/** @returns What is due with guardians, in words; undefined if each has practised within a year. */
function duePractice(guardians: readonly Hex[], { practised, now }: Extract<Examined, { kind: 'safe' }>) {
  const due = guardians.filter((guardian) => BigInt(practised(guardian) ?? 0) < now - YEAR);
  if (due.length === 0) return undefined;
  return `Ask ${due.length === guardians.length ? 'each' : `${due.length} of them`} for a practice run, which is due once a year.`;
}

function ofRecovery(recoverable: Recoverable, examined: Extract<Examined, { kind: 'safe' }>): readonly Finding[] {
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

function ofModules({ unknown, delays }: Situation): readonly Finding[] {
  return [
    ...unknown.map((address): Finding => ({
      loss: `Module ${address} may act for this account without your signature, and Keystead does not know it. It could do anything with the account, so Keystead does not count it as recovery.`,
      advice: 'If you did not enable it, remove it.',
      next: 'review-modules',
    })),
    ...delays.map(({ address, version, isWeak, cooldown }): Finding => ({
      loss: isWeak
        ? `Module ${address} is Zodiac's Delay modifier ${version}, which accepts forged signatures: anyone could act for the account.`
        : `Module ${address} is Zodiac's Delay modifier ${version}, with which Safe{Wallet} sets up recovery. The addresses that it lists can act for the account after ${delayInWords(cooldown)}.`,
      advice: isWeak ? 'Remove it now.' : 'Look in Safe{Wallet} which addresses it lists.',
      next: 'review-modules',
    })),
  ];
}

/** Others who control the account, or who took it from this key. */
function ofOwners(owner: Hex, { owners, threshold }: Situation, hasPasskey: boolean): readonly Finding[] {
  const others = owners.filter((one) => !isSameAddress(one, owner));
  if (others.length === 0) return [];
  if (others.length === owners.length)
    return [
      {
        loss: `Your key no longer controls this account. Its owners are now: ${others.join(', ')}.`,
        advice: hasPasskey
          ? 'Open it with the passkey.'
          : 'Send nothing to it. If the new owner is yours, open the wallet with that phrase.',
        next: 'none',
      },
    ];
  const several =
    threshold === BigInt(owners.length)
      ? 'All its owners must sign.'
      : `${threshold} of its ${owners.length} owners must sign.`;
  const power = threshold === 1n ? 'Each owner alone can take the account.' : several;
  return [
    {
      loss: `It has other owners besides your key: ${others.join(', ')}. ${power}`,
      advice: 'If you did not add them, move what it holds to another account now.',
      next: 'move-to-safe',
    },
  ];
}

/** The owners that are passkeys, each of them on one page and mostly on one device. */
const ofPasskeys = (passkeys: readonly KnownPasskey[], now: bigint, { owners }: Situation): readonly Finding[] =>
  owners.flatMap((owner): readonly Finding[] => {
    const { title, seen } = passkeys.find(({ signer }) => isSameAddress(signer, owner)) ?? {};
    if (title === undefined) return [];
    const due = BigInt(seen?.at ?? 0) < now - YEAR ? ' See whether it works, under Drills: due once a year.' : '';
    return [
      {
        loss: `${title} is its owner ${owner}. It is lost with the device or password manager that keeps it, and works only on pages of this domain.`,
        advice: `It was ${seen === undefined ? 'never seen to work here' : `seen to work on ${seen.day}`}.${due} Do not let it be the only owner that can sign.`,
        next: 'none',
      },
    ];
  });

/** How an account of several owners is lost. Keys of one phrase are lost and stolen together. */
function ofSeveral(
  { isImported, owner, ofPhrase }: Extract<Examined, { kind: 'safe' }>,
  { owners, threshold }: Situation,
): string {
  const isMine = (one: Hex) => isSameAddress(one, owner) || (!isImported && isIn(ofPhrase, one));
  const mine = BigInt(owners.filter(isMine).length);
  const count = BigInt(owners.length);
  const others = count - mine;
  const phrase = isImported ? 'key' : 'recovery phrase';
  if (others === 0n) return keyFinding(false).loss;
  const lost = count - threshold + 1n;
  const loss =
    mine > 1n
      ? `${mine} of its ${count} owners have keys of your recovery phrase. If the phrase is lost, ${others < threshold ? 'so is the account' : 'the other owners can still use the account'}.`
      : threshold === 1n
        ? `If you lose your ${phrase}, the other owners can still use the account; if all keys are lost, so is the account.`
        : `If ${lost === 1n ? `one of its ${count} owners loses the key` : `${lost} of its ${count} owners lose their keys`}, the account is lost.`;
  return [
    loss,
    ...(isImported ? ['Your recovery phrase does not bring your key back.'] : []),
    ...(mine >= threshold ? [`Anyone who sees your ${phrase} can take the account.`] : []),
  ].join(' ');
}

/** How an account is lost that no guardians can recover. */
function ofKeys(examined: Extract<Examined, { kind: 'safe' }>, situation: Situation): Finding {
  const isShared = situation.owners.length > 1;
  const loss = isShared ? ofSeveral(examined, situation) : keyFinding(examined.isImported).loss;
  const isDelayed = situation.delays.some(({ isWeak }) => !isWeak);
  return {
    loss: isDelayed ? `${loss} Only the addresses of the Delay modifier might bring it back.` : loss,
    advice: `Choose guardians, who can give the account to ${isShared ? 'new owners' : 'a new phrase'}.`,
    next: 'set-guardians',
  };
}

function ofSafe(examined: Extract<Examined, { kind: 'safe' }>): readonly Finding[] {
  const { situation, network, owner, passkeys } = examined;
  if (situation === undefined)
    return [
      {
        loss: `${network} did not answer, so nothing is known about guardians there.`,
        advice: 'Try again.',
        next: 'none',
      },
    ];
  const ofThem = ofPasskeys(passkeys, examined.now, situation);
  const owners = ofOwners(owner, situation, ofThem.length > 0);
  // Nothing else matters to a key that controls nothing.
  if (situation.isDeployed && !isIn(situation.owners, owner)) return [...owners, ...ofThem];
  const hasGuardians = situation.recoveries.some(({ state }) => state.isEnabled && state.guardians.length > 0);
  const reserve: readonly Finding[] =
    hasGuardians && examined.lacks !== undefined
      ? [
          {
            loss: `It may be unable to pay for cancelling a recovery: ${examined.lacks}.`,
            advice: 'Keep a reserve in it.',
            next: 'none',
          },
        ]
      : [];
  return [
    ...situation.recoveries.flatMap(ofPending),
    ...owners,
    ...ofModules(situation),
    ...situation.recoveries.flatMap((one) => ofRecovery(one, examined)),
    ...reserve,
    ...(hasGuardians ? [] : [ofKeys(examined, situation)]),
    ...ofThem,
  ];
}

/**
 * Says how an account could be lost today, and what to do next. A module that Keystead does not know never makes an
 * account recoverable.
 *
 * @returns At least one finding, the gravest first.
 */
export function checkUp(examined: Examined): readonly Finding[] {
  if (examined.kind === 'eoa') return ofEoa(examined.isImported, examined.isDelegated);
  if (examined.kind === 'safe') return ofSafe(examined);
  return [
    {
      ...keyFinding(examined.isImported),
      advice: 'This kind of account cannot have guardians. Move what it holds to a Safe with guardians.',
      next: 'move-to-safe',
    },
  ];
}
