import { formatEther } from 'viem/utils';

import { choiceOf } from '../../core/accounts/choices';
import { type KindName } from '../../core/kinds';
import { networkOf } from '../../core/networks/network';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type StoredAccount } from '../account/account';
import { type DisplayNames } from '../account/names';
import { servicesOf } from '../network/services';
import { type HomeAccount } from '../screens/home';

/** Each pair of an account and a network takes a request. */
const MAX_LOOK_UPS = 60;

/** The digits after the point of a balance. Further ones are cut off, and "…" says so. */
const LONG_FRACTION = /(\.\d{5})\d+$/u;

/** The balance on a network, in at most 3 seconds. */
async function balanceOn(configuration: ChainConfiguration, { address }: StoredAccount['account']): Promise<string> {
  const { name, symbol } = networkOf(chainIdOf(configuration.chainId), configuration);
  const wei = await servicesOf(configuration)
    .hints.balance(address)
    .catch(() => undefined);
  return wei === undefined
    ? `unknown on ${name}, whose node does not answer`
    : `${formatEther(wei).replace(LONG_FRACTION, '$1…')} ${symbol} on ${name}`;
}

/** @returns The accounts for the home page, with their balances where the networks are set up. */
export async function homeAccounts(
  stored: readonly StoredAccount[],
  { names }: DisplayNames,
  configured: readonly ChainConfiguration[],
): Promise<HomeAccount[]> {
  let left = MAX_LOOK_UPS;
  return Promise.all(
    stored.map(async (one) => {
      const { account, key } = one;
      const scopes: readonly ChainName[] | undefined = 'smart' in one ? (account.scopes as ChainName[]) : undefined;
      // A standard account exists on every network.
      const on = configured.filter(({ chainId }) => scopes?.includes(chainId) ?? true).slice(0, left);
      left -= on.length;
      const balances = await Promise.all(on.map((configuration) => balanceOn(configuration, account)));
      const isRecovered = 'smart' in one && one.smart.isRecovered === true;
      return {
        address: account.address,
        name: names[account.address.toLowerCase()] ?? '',
        kind: choiceOf('smart' in one ? (one.smart.kind as KindName) : 'eoa').title,
        comesBack: key.source === 'imported' ? 'never' : isRecovered ? 'with-address' : 'with-phrase',
        balances,
      };
    }),
  );
}
