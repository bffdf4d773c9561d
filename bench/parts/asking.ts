import { KEY } from '../payloads';
import { type Dialect } from '../runtime/manifest';
import { PROVIDER_CHAIN } from '../runtime/provider';
import { type SnapRequest } from '../runtime/request';
import {
  type Answer,
  type Asked,
  Conversation,
  type Host,
  IMPORTED,
  type Made,
  OWN,
  PATIENCE_MS,
} from './conversation';
import {
  type Account,
  createAccount,
  following,
  isSmart,
  keyringRequest,
  type Prepared,
  preparing,
  signings,
} from './snap-requests';

/** Has a keyring prepare, patch and sign a user operation of one of its accounts, and records its responses. */
async function noteOperations(keyring: Conversation, account: Account, kind: string, scope: string): Promise<void> {
  const label = (method: string): string => `${method}, ${kind}`;
  const prepare = () => keyring.note(label('eth_prepareUserOperation'), account, preparing(scope));
  let prepared = await prepare();
  if (prepared === undefined) {
    await keyring.configure(account);
    prepared = await prepare();
  }
  if (prepared === undefined) return;
  for (const [method, signing] of Object.entries(following(account, prepared as Prepared, scope)))
    await keyring.note(label(method), account, signing);
}

/** @returns An account that the keyring created; if it created none at first, after it was told about the chain. */
async function makeImported(keyring: Conversation): Promise<Answer<Made>> {
  const made = await keyring.make(IMPORTED);
  if ('value' in made || 'isLate' in made) return made;
  await keyring.configure();
  return keyring.make(IMPORTED);
}

/**
 * Has a running snap create accounts in the known ways, and finds out which requests it answers.
 *
 * @param dialect - How to talk to it, according to its manifest.
 * @param patienceMs - Time limit per response.
 */
export async function requestsOf(
  name: string,
  wallet: Host,
  dialect: Dialect = { managers: ['metamask'], hasOrigin: true },
  patienceMs = PATIENCE_MS,
): Promise<Asked> {
  const keyring = new Conversation(name, wallet, dialect, patienceMs);
  await keyring.noteFirst();
  let creation: SnapRequest | undefined;
  for (const [make, kind] of [
    [makeImported, 'imported key'],
    [(each: Conversation) => each.make(OWN), 'own key'],
  ] as const) {
    const made = await make(keyring);
    if ('refusal' in made) {
      keyring.refuse(`accounts with an ${kind}`, made.refusal);
      continue;
    }
    const { account } = made.value;
    creation = kind === 'own key' ? made.value.request : undefined;
    if (isSmart(account)) await noteOperations(keyring, account, kind, PROVIDER_CHAIN);
    for (const [method, signing] of Object.entries(signings(account))) {
      // Smart accounts sign messages only if their contracts can verify them.
      if (!isSmart(account) || account.methods?.includes(signing.method) === true)
        await keyring.note(`${method}, ${kind}`, account, signing);
    }
  }
  if (name === 'message-signing') await keyring.noteSignMessage();
  return { ...keyring.outcome(), ...(creation && { creation }) };
}

/** @returns Accounts that a running snap created, with one signing request for each; and why others are missing. */
export async function signersOf(
  name: string,
  wallet: Host,
  dialect: Dialect,
): Promise<{ readonly imported?: Made; readonly own?: Made; readonly asked: Asked }> {
  const keyring = new Conversation(name, wallet, dialect, PATIENCE_MS);
  const [imported, own] = [await makeImported(keyring), await keyring.make(OWN)];
  for (const [made, kind] of [
    [imported, 'imported key'],
    [own, 'own key'],
  ] as const) {
    if ('refusal' in made) keyring.refuse(`accounts with an ${kind}`, made.refusal);
    else if (isSmart(made.value.account)) await noteOperations(keyring, made.value.account, kind, PROVIDER_CHAIN);
    else {
      const { personal_sign: signing } = signings(made.value.account);
      if (signing !== undefined) await keyring.note(`personal_sign, ${kind}`, made.value.account, signing);
    }
  }
  return {
    ...('value' in imported && { imported: imported.value }),
    ...('value' in own && { own: own.value }),
    asked: keyring.outcome(),
  };
}

/** @returns The requests of one user operation of a smart account that the keyring creates from an imported key. */
export async function operationsOf(name: string, wallet: Host, dialect: Dialect): Promise<Asked> {
  const keyring = new Conversation(name, wallet, dialect, PATIENCE_MS);
  const made = await makeImported(keyring);
  if ('refusal' in made) keyring.refuse('accounts with an imported key', made.refusal);
  else if (!isSmart(made.value.account)) keyring.refuse('user operations', 'its accounts are no smart accounts');
  else await noteOperations(keyring, made.value.account, 'imported key', PROVIDER_CHAIN);
  return keyring.outcome();
}

/** @returns The same for Keystead, which reaches the chain through a node and a bundler. @param url - Of both. */
export async function ourOperations(
  name: string,
  wallet: Host,
  { chain, url }: { chain: string; url: string },
): Promise<Asked> {
  const chainOf = { chainId: chain, rpcUrl: url, bundlerUrl: url };
  await wallet.call(name, keyringRequest('keystead_setChain', chainOf));
  const smart = { type: 'eip155:erc4337', chainId: chain, privateKey: `0x${KEY}` };
  const account = await wallet.call<Account>(name, createAccount(smart));
  const keyring = new Conversation(name, wallet, { managers: ['metamask'], hasOrigin: true }, PATIENCE_MS);
  await noteOperations(keyring, account, 'imported key', chain);
  return keyring.outcome();
}

/** @returns Sentences for the report: what was not measured for a snap, and why. */
export function refusalNotes(name: string, refused: Readonly<Record<string, string>>): string[] {
  const byReason = new Map<string, string[]>();
  for (const [label, reason] of Object.entries(refused)) byReason.set(reason, [...(byReason.get(reason) ?? []), label]);
  return [...byReason].map(([reason, labels]) => `${name}, not measured: ${labels.join('; ')}. Its reason: ${reason}`);
}
