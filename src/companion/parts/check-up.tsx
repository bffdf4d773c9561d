import { isOnChain } from '../model/usable';
import { type VNode } from 'preact';

import { checkUp, type Examined, type Finding, type NextStep } from '../../core/recovery/check-up';
import { dayWords } from '../../core/decode/words/time';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { isImported, isSafe, isSmart } from '../model/account-name';
import { readDelegations } from '../model/delegations';
import { drills, guardianDrill, lastDrill, nowInSeconds, passkeyDrill } from '../model/drills';
import { networkOfChain } from '../model/network';
import { passkeyTitle } from '../model/passkey-title';
import { passkeys } from '../model/passkeys';
import { lackingReserve, lostTogether, modulesOf, situationOn } from '../model/recovery';
import { linkTo } from '../model/route';
import { type Session, useSession } from '../model/session';
import { type Account } from '../model/types';
import { numberOf } from '../model/units';
import { useLookup } from '../model/use-lookup';
import { LookupStatus } from './lookup-status';

/** What a check-up looks at, and the host of the node that says what the account is like. */
type Subject = { readonly examined: Examined; readonly host?: string };

/** The subjects of a check-up: a Safe on each of its networks, any other account once. */
async function examine(account: Account, { accounts, chains, client, devnet }: Session): Promise<readonly Subject[]> {
  const imported = isImported(account);
  if (!isSmart(account)) {
    const delegations = await readDelegations(client).catch(() => []);
    const isDelegated = delegations.some((one) => isSameAddress(one.account, account.address));
    return [{ examined: { kind: 'eoa', isImported: imported, isDelegated } }];
  }
  if (!isSafe(account)) return [{ examined: { kind: 'simple', isImported: imported } }];
  return Promise.all(
    chains
      .filter((chain) => isOnChain(account, chain))
      .map(async (chain): Promise<Subject> => {
        const situation = await situationOn(account.address, chain, modulesOf(devnet)).catch(() => undefined);
        const examined: Examined = {
          kind: 'safe',
          isImported: imported,
          network: networkOfChain(chain).name,
          owner: account.options.owner as Hex,
          ofPhrase: lostTogether(account, accounts),
          passkeys: passkeys.read().map((passkey) => {
            const at = lastDrill(drills.read(), passkeyDrill(passkey.signer));
            const seen = at === undefined ? undefined : { at, day: dayWords(BigInt(at)) };
            return { signer: passkey.signer, title: passkeyTitle(passkey), seen };
          }),
          situation,
          practised: (guardian) =>
            lastDrill(drills.read(), guardianDrill(numberOf(chain.chainId), account.address, guardian)),
          now: BigInt(nowInSeconds()),
          lacks: await lackingReserve(account.address as Hex, chain).catch(() => undefined),
        };
        return situation === undefined ? { examined } : { examined, host: new URL(chain.rpcUrl).host };
      }),
  );
}

const LINKS: Readonly<Partial<Record<NextStep, (address: string) => readonly [title: string, href: string]>>> = {
  'back-up': () => ['Make a backup', linkTo('backup')],
  'move-to-safe': () => ['Create a Safe', linkTo('add-account')],
  'set-guardians': (address) => ['Guardians', linkTo('guardians', address)],
  'review-modules': (address) => ['Guardians', linkTo('guardians', address)],
};

function FindingItem({ finding, account }: { readonly finding: Finding; readonly account: Account }): VNode {
  const link = LINKS[finding.next]?.(account.address);
  return (
    <li>
      <p>{finding.loss}</p>
      <p class="hint">
        {finding.advice} {link === undefined ? null : <a href={link[1]}>{link[0]}</a>}
      </p>
    </li>
  );
}

/** Shows how an account could be lost today, and the next step. */
export function CheckUp({ account }: { readonly account: Account }): VNode {
  const session = useSession();
  const { chains } = session;
  const { value, error } = useLookup(
    () => examine(account, session),
    [account.id, chains.map(({ rpcUrl }) => rpcUrl).join(), drills.use()],
  );
  const name = account.name;
  return (
    <section class="panel" aria-label={`Check-up of ${name}`}>
      <h2>{name}</h2>
      {value === undefined ? <LookupStatus error={error}>Asking the networks…</LookupStatus> : null}
      {value?.map(({ examined, host }, index) => (
        <div key={index}>
          {examined.kind === 'safe' && value.length > 1 ? <h3>{examined.network}</h3> : null}
          {host === undefined ? null : <p class="hint">Says the node at {host}.</p>}
          <ul class="plain">
            {checkUp(examined).map((finding) => (
              <FindingItem key={finding.loss} finding={finding} account={account} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
