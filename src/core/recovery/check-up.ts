import { isSameAddress } from '../eth/address';
import { type Hex } from '../eth/bytes';
import { counted } from '../eth/units';
import { LEAST_PERIOD } from './modules';
import { type Recoverable, type Situation } from './situation';

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
      /** Undefined if the network was not asked or did not answer. */
      readonly situation: Situation | undefined;
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
    : 'Only your recovery phrase brings this account back. If the phrase is lost, so is the account; whoever sees the phrase can take it.',
});

function ofEoa(isImported: boolean, isDelegated: boolean): readonly Finding[] {
  const delegated: readonly Finding[] = isDelegated
    ? [
        {
          loss: 'It runs the code of a contract (EIP-7702), but its key keeps the last word: whoever has the key can undo anything that the contract protects.',
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
      ? ` Only ${others} of the ${threshold} that must confirm would be left, so nobody could recover the account.`
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
  const own = guardians.filter((guardian) => ofPhrase.some((one) => isSameAddress(one, guardian)));
  const count = guardians.length - own.length;
  const next = 'set-guardians';
  const faults: readonly (Finding | false)[] = [
    own.length > 0 && ofPhraseFinding(own, count, threshold),
    count === 1 &&
      threshold === 1n && {
        loss: `Its one guardian alone can give it to a new owner after ${delay}. If both your phrase and the guardian are lost, so is the account.`,
        advice: 'Add a second guardian.',
        next,
      },
    count > 1 &&
      threshold === 1n && {
        loss: `Any one of its ${count} guardians alone can give it to a new owner after ${delay}.`,
        advice: 'Let at least two confirm.',
        next,
      },
    module.period < LEAST_PERIOD && {
      loss: `Its guardians can give it to a new owner after only ${delay}, which leaves too little time to notice that and cancel.`,
      advice: 'Use a module with a longer delay.',
      next,
    },
    count > 1 &&
      threshold === BigInt(count) && {
        loss: `All ${count} guardians have to confirm a recovery. If one of them cannot, your recovery phrase is the only way.`,
        advice: 'Add a guardian, or let fewer confirm.',
        next,
      },
  ];
  return faults.filter((fault) => fault !== false);
}

function ofRecovery(recoverable: Recoverable, ofPhrase: readonly Hex[]): readonly Finding[] {
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
        loss: 'Its recovery module is on, but it has no guardians. Only your recovery phrase brings it back.',
        advice: 'Choose guardians.',
        next: 'set-guardians',
      },
    ];
  const faults = faultsOf(recoverable, ofPhrase);
  if (faults.length > 0) return faults;
  return [
    {
      loss: `If you lose your phrase, ${threshold} of your ${guardians.length} guardians can give the account to a new one after ${delayInWords(module.period)}.`,
      advice: 'Nothing to do. Ask your guardians once a year whether they still have their keys.',
      next: 'none',
    },
  ];
}

function ofModules({ unknown, delays }: Situation): readonly Finding[] {
  return [
    ...unknown.map((address): Finding => ({
      loss: `Module ${address} may act for this account without your signature, and Keystead does not know it. Whether it could recover the account, or take it, cannot be said.`,
      advice: 'If you did not enable it, remove it.',
      next: 'review-modules',
    })),
    ...delays.map(({ address, version, isWeak, cooldown }): Finding => ({
      loss: isWeak
        ? `Module ${address} is Zodiac's Delay modifier ${version}, which accepts forged signatures: anyone could act for the account.`
        : `Module ${address} is Zodiac's Delay modifier ${version}, with which Safe{Wallet} sets up recovery. Those it lists can act for the account after ${delayInWords(cooldown)}.`,
      advice: isWeak ? 'Remove it now.' : 'See in Safe{Wallet} whom it lists.',
      next: 'review-modules',
    })),
  ];
}

/** Others who control the account, or who took it from this key. */
function ofOwners(owner: Hex, { owners }: Situation): readonly Finding[] {
  const others = owners.filter((one) => !isSameAddress(one, owner));
  if (others.length === 0) return [];
  if (others.length === owners.length)
    return [
      {
        loss: `This account no longer obeys your key. It belongs to ${others.join(', ')} now.`,
        advice: 'Send nothing to it. If the new owner is yours, open the wallet with that phrase.',
        next: 'none',
      },
    ];
  return [
    {
      loss: `It has other owners besides your key: ${others.join(', ')}. They may be able to take it.`,
      advice: 'If you did not add them, move what it holds to another account now.',
      next: 'move-to-safe',
    },
  ];
}

function ofSafe(examined: Extract<Examined, { kind: 'safe' }>): readonly Finding[] {
  const { situation, isImported, network, owner, ofPhrase } = examined;
  if (situation === undefined)
    return [
      {
        loss: `${network} did not answer, so nothing is known about guardians there.`,
        advice: 'Try again.',
        next: 'none',
      },
    ];
  const owners = ofOwners(owner, situation);
  // Nothing else matters to a key that the account does not obey.
  if (situation.isDeployed && !situation.owners.some((one) => isSameAddress(one, owner))) return owners;
  const recoveries = situation.recoveries.flatMap((one) => ofRecovery(one, ofPhrase));
  const alone: readonly Finding[] =
    recoveries.length > 0
      ? []
      : [
          {
            ...keyFinding(isImported),
            advice: 'Choose guardians, who can give the account to a new phrase.',
            next: 'set-guardians',
          },
        ];
  return [...owners, ...ofModules(situation), ...recoveries, ...alone];
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
