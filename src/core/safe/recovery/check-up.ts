import { isIn, isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { type Examined, type ExaminedSafe, type Finding, isDue, type KnownPasskey } from './finding';
import { guardianFindings, pendingFindings } from './guardian-findings';
import { delayInWords } from './modules';
import { type Situation } from './situation';

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
    const due = isDue(seen?.at, now) ? ' See whether it works, under Drills: due once a year.' : '';
    return [
      {
        loss: `${title} is its owner ${owner}. It is lost with the device or password manager that keeps it, and works only on pages of this domain.`,
        advice: `It was ${seen === undefined ? 'never seen to work here' : `seen to work on ${seen.day}`}.${due} Do not let it be the only owner that can sign.`,
        next: 'none',
      },
    ];
  });

/** How an account of several owners is lost. Keys of one phrase are lost and stolen together. */
function ofSeveral({ isImported, owner, ofPhrase }: ExaminedSafe, { owners, threshold }: Situation): string {
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
function ofKeys(examined: ExaminedSafe, situation: Situation): Finding {
  const isShared = situation.owners.length > 1;
  const loss = isShared ? ofSeveral(examined, situation) : keyFinding(examined.isImported).loss;
  const isDelayed = situation.delays.some(({ isWeak }) => !isWeak);
  return {
    loss: isDelayed ? `${loss} Only the addresses of the Delay modifier might bring it back.` : loss,
    advice: `Choose guardians, who can give the account to ${isShared ? 'new owners' : 'a new phrase'}.`,
    next: 'set-guardians',
  };
}

function ofSafe(examined: ExaminedSafe): readonly Finding[] {
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
    ...situation.recoveries.flatMap((one) => pendingFindings(one, examined)),
    ...owners,
    ...ofModules(situation),
    ...situation.recoveries.flatMap((one) => guardianFindings(one, examined)),
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
