import { createKeysteadProvider } from '../../../src/provider';
import { pageWallet } from '../../support/wallet/page-wallet';
import { ALICE, BOB, connected, eventsOf, failureOf, SNAP } from './connected';

describe('invalid answers of a wallet', () => {
  const NOT_CHAIN_IDS = [null, 5, {}, '', '0x', '0x0', '0x01', '0xA', '31337', '0x1\n', `0x${'f'.repeat(17)}`, ['0x1']];
  const NOT_ACCOUNTS = [null, 'x', {}, { length: 1 }, [5], [null], ['0x'], [ALICE, 'x'], [`${ALICE}00`], [[ALICE]]];

  it.each(NOT_CHAIN_IDS)('rejects %j as a chain id, and keeps the chain', async (answer) => {
    const answers: Record<string, () => unknown> = {};
    const { provider } = connected(answers, { chainId: 10 });
    answers.eth_chainId = () => answer;
    const events = eventsOf(provider);
    const error = await failureOf(provider.request({ method: 'eth_chainId' }));
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('eth_chainId: the wallet must return') as string,
    });
    expect(events).toEqual([]);
    // The page stays on its chain, and is notified of the next valid one.
    answers.eth_chainId = () => '0x7a69';
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69');
    expect(events).toEqual([
      ['connect', { chainId: '0x7a69' }],
      ['chainChanged', '0x7a69'],
    ]);
  });

  it.each(NOT_ACCOUNTS)('rejects %j as accounts, and keeps the accounts', async (answer) => {
    const answers: Record<string, () => unknown> = {};
    const { provider, state } = connected(answers);
    await provider.request({ method: 'eth_requestAccounts' });
    const events = eventsOf(provider);
    for (const method of ['eth_accounts', 'eth_requestAccounts'] as const) {
      answers[method] = () => answer;
      const error = await failureOf(provider.request({ method }));
      expect(error).toMatchObject({
        code: -32603,
        message: expect.stringContaining(`${method}: the wallet must return`) as string,
      });
    }
    expect(events).toEqual([]);
    Reflect.deleteProperty(answers, 'eth_accounts');
    state.accounts = [BOB];
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([BOB]);
    expect(events).toEqual([['accountsChanged', [BOB]]]);
  });

  it('leaves reads on the node of the last valid chain', async () => {
    const answers: Record<string, () => unknown> = {};
    const node = { request: () => Promise.resolve('of the node') };
    const { provider } = connected(answers, { nodes: { 31337: node } });
    await provider.request({ method: 'eth_requestAccounts' });
    answers.eth_chainId = () => 'nonsense';
    await failureOf(provider.request({ method: 'eth_chainId' }));
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('of the node');
  });

  it.each([null, 5, 'x'])('finds no snap in %j', async (snap) => {
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
