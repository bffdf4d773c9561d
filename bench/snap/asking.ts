import { type Asked, Conversation, type Host, IMPORTED, OWN, PATIENCE_MS } from './conversation';
import { type Dialect } from './manifest';
import { isSmart, signings, type SnapRequest } from './requests';

/**
 * Has a running snap create accounts in the known ways, and finds out which requests it answers. Signatures of smart
 * accounts are not measured.
 *
 * @param dialect - How to talk to it, according to its manifest.
 * @param patienceMs - Time limit per response.
 */
export async function requestsOf(
  name: string,
  wallet: Host,
  dialect: Dialect,
  patienceMs = PATIENCE_MS,
): Promise<Asked> {
  const keyring = new Conversation(name, wallet, dialect, patienceMs);
  let creation: SnapRequest | undefined;
  for (const [options, kind] of [
    [IMPORTED, 'imported key'],
    [OWN, 'own key'],
  ] as const) {
    const made = await keyring.make(options);
    if ('refusal' in made) {
      keyring.refuse(`accounts with an ${kind}`, made.refusal);
      continue;
    }
    const { account, request } = made.value;
    creation = kind === 'own key' ? request : undefined;
    if (isSmart(account)) keyring.refuse(`signatures of an ${kind}`, 'its accounts are smart accounts');
    else
      for (const [method, signing] of Object.entries(signings(account)))
        await keyring.note(`${method}, ${kind}`, account, signing);
  }
  return { ...keyring.outcome(), ...(creation && { creation }) };
}

/** @returns Sentences for the report: what was not measured for a snap, and why. */
export function refusalNotes(name: string, refused: Readonly<Record<string, string>>): string[] {
  const byReason = new Map<string, string[]>();
  for (const [label, reason] of Object.entries(refused)) byReason.set(reason, [...(byReason.get(reason) ?? []), label]);
  return [...byReason].map(([reason, labels]) => `${name}, not measured: ${labels.join('; ')}. Its reason: ${reason}`);
}
