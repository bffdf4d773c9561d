import { type VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { useChosenChain } from '../model/chosen-chain';
import { holdingsOf } from '../model/portfolio';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { useChainTokens } from '../model/use-chain-tokens';
import { usePortfolio } from '../model/use-portfolio';
import { useUsable } from '../model/use-usable';
import { MissingAccounts } from '../parts/announce-account';
import { LostAccount } from '../parts/lost-account';
import { AccountRow } from '../parts/account-row';
import { UpgradedAccounts } from '../parts/delegations';
import { Icon } from '../parts/icons';
import { Onboarding } from '../parts/onboarding';
import { SetUp } from '../parts/set-up';
import { TokenList } from '../parts/token-list';
import { Total } from '../parts/total';

/** The total, the accounts and the tokens; before there is an account, the way to one. */
export function Home(): VNode {
  const { accounts } = useSession();
  const chain = useChosenChain();
  const tokens = useChainTokens(chain);
  const { portfolio, error, reread } = usePortfolio(chain, accounts, tokens);
  const usable = useUsable(chain, accounts);
  const controlled = usable?.map(({ account }) => account);
  const isEmpty = accounts.length === 0;
  // The form of the first account may have been scrolled.
  useEffect(() => window.scrollTo(0, 0), [isEmpty]);
  if (isEmpty)
    return (
      <>
        <h1>Welcome to Keystead</h1>
        <Onboarding />
      </>
    );
  return (
    <>
      <h1 class="visually-hidden">Home</h1>
      <SetUp />
      <MissingAccounts />
      <LostAccount />
      <Total chain={chain} portfolio={portfolio} controlled={controlled} error={error} />
      <div class="columns">
        <section class="panel" aria-labelledby="accounts">
          <div class="panel-head">
            <h2 id="accounts">Accounts</h2>
            <a class="button small" href={linkTo('add-account')}>
              <Icon name="plus" />
              Add<span class="visually-hidden"> an account</span>
            </a>
          </div>
          <ul class="rows" aria-label="Accounts">
            {accounts.map((account) => (
              <AccountRow
                key={account.id}
                account={account}
                chain={chain}
                holdings={portfolio?.[account.address.toLowerCase()]}
                isUnavailable={error !== undefined}
                onFunded={reread}
              />
            ))}
          </ul>
        </section>
        <TokenList
          chain={chain}
          tokens={tokens}
          portfolio={portfolio && controlled && holdingsOf(portfolio, controlled)}
        />
      </div>
      <UpgradedAccounts />
    </>
  );
}
