import { createKeysteadProvider } from '../../../src/provider';
import { pageWallet } from '../../helpers/wallet/page-wallet';
import { ALICE, BOB, connected, eventsOf, failureOf, SNAP } from './connected';

describe('a wallet that answers anything', () => {
  const NO_CHAIN = [null, 5, {}, '', '0x', '0x0', '0x01', '0xA', '31337', '0x1\n', `0x${'f'.repeat(17)}`, ['0x1']];
  const NO_ACCOUNTS = [null, 'x', {}, { length: 1 }, [5], [null], ['0x'], [ALICE, 'x'], [`${ALICE}00`], [[ALICE]]];

  it.each(NO_CHAIN)('is told that %j is no chain, and changes none', async (answer) => {
    const answers: Record<string, () => unknown> = {};
    const { provider } = connected(answers, { chainId: 10 });
    answers.eth_chainId = () => answer;
    const heard = eventsOf(provider);
    const error = await failureOf(provider.request({ method: 'eth_chainId' }));
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('eth_chainId: the wallet') as string,
    });
    expect(heard).toEqual([]);
    // The page stays on the chain that it was on, and hears of the next that is one.
    answers.eth_chainId = () => '0x7a69';
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69');
    expect(heard).toEqual([
      ['connect', { chainId: '0x7a69' }],
      ['chainChanged', '0x7a69'],
    ]);
  });

  it.each(NO_ACCOUNTS)('is told that %j are no accounts, and changes none', async (answer) => {
    const answers: Record<string, () => unknown> = {};
    const { provider, state } = connected(answers);
    await provider.request({ method: 'eth_requestAccounts' });
    const heard = eventsOf(provider);
    for (const method of ['eth_accounts', 'eth_requestAccounts'] as const) {
      answers[method] = () => answer;
      const error = await failureOf(provider.request({ method }));
      expect(error).toMatchObject({
        code: -32603,
        message: expect.stringContaining(`${method}: the wallet`) as string,
      });
    }
    expect(heard).toEqual([]);
    Reflect.deleteProperty(answers, 'eth_accounts');
    state.accounts = [BOB];
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([BOB]);
    expect(heard).toEqual([['accountsChanged', [BOB]]]);
  });

  it('has its node asked on the chain that was the last', async () => {
    const answers: Record<string, () => unknown> = {};
    const node = { request: () => Promise.resolve('of the node') };
    const { provider } = connected(answers, { nodes: { 31337: node } });
    await provider.request({ method: 'eth_requestAccounts' });
    answers.eth_chainId = () => 'nonsense';
    await failureOf(provider.request({ method: 'eth_chainId' }));
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('of the node');
  });

  it.each([null, 5, 'x'])('has no snap where it says %j', async (snap) => {
    const installed = { [SNAP]: snap } as never;
    const wallet = pageWallet('io.metamask.flask', { installed, install: () => ({ [SNAP]: snap }) });
    const provider = createKeysteadProvider({ wallet: wallet.provider });
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
    expect(await failureOf(provider.request({ method: 'eth_requestAccounts' }))).toMatchObject({
      code: 4900,
      message: `The wallet did not install ${SNAP}.`,
    });
  });
});
