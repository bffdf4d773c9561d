import { isOnChain } from '../model/usable';
import { type VNode } from 'preact';

import { checkUp } from '../../core/safe/recovery/check-up';
import { type Examined, type Finding, type NextStep } from '../../core/safe/recovery/finding';
import { dayWords } from '../../core/decode/words/time';
import { CONTRADICTION } from '../../core/safe/recovery/notice';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { isImported, isSafe, isSmart } from '../model/account-name';
import { readDelegations } from '../model/delegations';
import { drills, guardianDrill, lastDrill, nowInSeconds, passkeyDrill } from '../model/drills';
import { localTime } from '../model/local-time';
import { networkOfChain } from '../model/network';
import { passkeyTitle } from '../model/passkey-title';
import { passkeys } from '../model/passkeys';
import { lackingReserve, lostTogether, modulesOf, type Testimony, testimoniesOn } from '../model/recovery';
import { linkTo } from '../model/route';
import { type Session, useSession } from '../model/session';
import { type Account } from '../model/types';
import { numberOf } from '../model/units';
import { useLookup } from '../model/use-lookup';
import { Warning } from './icons';
import { LookupStatus } from './lookup-status';

/** What a check-up looks at, and how trustworthy those are who say what the account is like. */
type Subject = {
  readonly examined: Examined;
  readonly says?: string | undefined;
  readonly isDisputed?: boolean;
};

const saysOf = ({ hosts, situation }: Testimony, isAlone: boolean): string => {
  const nodes = `the ${hosts.length > 1 ? 'nodes' : 'node'} at ${hosts.join(' and ')}`;
  if (situation === undefined) return `No answer from ${nodes}.`;
  return `${hosts.length > 1 ? 'Say' : 'Says'} ${nodes}${isAlone ? ' alone' : ''}.`;
};

/** The subjects of a check-up: a Safe on each of its networks, any other account once. */
async function examine(account: Account, { accounts, chains, client, devnet }: Session): Promise<readonly Subject[]> {
  const imported = isImported(account);
  if (!isSmart(account)) {
    const delegations = await readDelegations(client).catch(() => []);
    const isDelegated = delegations.some((one) => isSameAddress(one.account, account.address));
    return [{ examined: { kind: 'eoa', isImported: imported, isDelegated } }];
  }
  if (!isSafe(account)) return [{ examined: { kind: 'simple', isImported: imported } }];
  const found = await Promise.all(
    chains
      .filter((chain) => isOnChain(account, chain))
      .map(async (chain): Promise<readonly Subject[]> => {
        const said = await testimoniesOn(account.address, chain, modulesOf(devnet));
        const lacks = await lackingReserve(account.address as Hex, chain).catch(() => undefined);
        const examined = {
          kind: 'safe' as const,
          isImported: imported,
          network: networkOfChain(chain).name,
          owner: account.options.owner as Hex,
          ofPhrase: lostTogether(account, accounts),
          passkeys: passkeys.read().map((passkey) => {
            const at = lastDrill(drills.read(), passkeyDrill(passkey.signer));
            const seen = at === undefined ? undefined : { at, day: dayWords(BigInt(at)) };
            return { signer: passkey.signer, title: passkeyTitle(passkey), seen };
          }),
          practised: (guardian: Hex) =>
            lastDrill(drills.read(), guardianDrill(numberOf(chain.chainId), account.address, guardian)),
          now: BigInt(nowInSeconds()),
          timeOf: localTime,
          lacks,
        };
        const isDisputed = said.filter((one) => one?.situation !== undefined).length > 1;
        return said.flatMap((one) =>
          one === undefined
            ? []
            : [
                {
                  examined: { ...examined, situation: one.situation },
                  says: saysOf(one, said.length > 1),
                  isDisputed,
                },
              ],
        );
      }),
  );
  return found.flat();
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
    [account.id, chains.map(({ rpcUrl, secondRpcUrl }) => [rpcUrl, secondRpcUrl]).join(), drills.use()],
  );
  const name = account.name;
  return (
    <section class="panel" aria-label={`Check-up of ${name}`}>
      <h2>{name}</h2>
      {value === undefined ? <LookupStatus error={error}>Asking the networks…</LookupStatus> : null}
      {value?.map(({ examined, says, isDisputed }, index) => (
        <div key={index}>
          {examined.kind === 'safe' && value.length > 1 ? <h3>{examined.network}</h3> : null}
          {isDisputed === true ? (
            <Warning isDanger>
              {CONTRADICTION.title}. {CONTRADICTION.advice}
            </Warning>
          ) : null}
          {says === undefined ? null : <p class="hint">{says}</p>}
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
