import { version } from '../../../package.json';
import { type AnnouncedProvider, findSnapWallets } from '../../../src/provider';
import { openPage } from '../../helpers/page';
import { pageWallet } from '../../helpers/wallet/page-wallet';

const SNAP = 'npm:keystead';
const there = { [SNAP]: { version, enabled: true, blocked: false } };
const namesOf = async (): Promise<string[]> => (await findSnapWallets(SNAP)).map(({ info }) => info.name);
const plainWallet = (rdns: string, request: () => Promise<unknown>): AnnouncedProvider => ({
  ...pageWallet(rdns),
  provider: { request },
});

describe('looking for wallets that host snaps', () => {
  let page: ReturnType<typeof openPage>;
  beforeEach(() => {
    page = openPage();
  });
  afterEach(() => {
    page.close();
    jest.useRealTimers();
  });

  it('finds the only one, and asks nobody for consent', async () => {
    const wallet = pageWallet('io.metamask.flask');
    page.announce(wallet);
    expect(await namesOf()).toEqual(['io.metamask.flask']);
    expect(wallet.methods()).toEqual(['wallet_getSnaps']);
  });

  it('leaves out wallets that host none', async () => {
    page.announce(plainWallet('com.refuses', () => Promise.reject(new Error('unknown method'))));
    page.announce(plainWallet('com.nothing', () => Promise.resolve(null)));
    page.announce(pageWallet('io.metamask'));
    expect(await namesOf()).toEqual(['io.metamask']);
  });

  it('takes Flask before MetaMask, MetaMask before others, and others as they come', async () => {
    for (const rdns of ['org.other', 'io.metamask', 'com.last', 'io.metamask.flask']) page.announce(pageWallet(rdns));
    expect(await namesOf()).toEqual(['io.metamask.flask', 'io.metamask', 'org.other', 'com.last']);
  });

  it('takes the wallet that has the snap before every other', async () => {
    page.announce(pageWallet('io.metamask.flask'));
    page.announce(pageWallet('org.other', { installed: there }));
    expect(await namesOf()).toEqual(['org.other', 'io.metamask.flask']);
  });

  it('takes MetaMask before others that say they have the snap, too', async () => {
    page.announce(pageWallet('org.other', { installed: there }));
    page.announce(pageWallet('io.metamask', { installed: there }));
    page.announce(pageWallet('io.metamask.flask'));
    expect(await namesOf()).toEqual(['io.metamask', 'org.other', 'io.metamask.flask']);
  });

  it('finds a wallet though another one announced itself with the same UUID before', async () => {
    const wallet = pageWallet('io.metamask', { installed: there });
    const other = pageWallet('org.other');
    page.announce({ ...other, info: { ...other.info, uuid: wallet.info.uuid } });
    page.announce(wallet);
    expect(await namesOf()).toEqual(['io.metamask', 'org.other']);
  });

  it('counts a wallet that announces itself twice once, and no malformed announcement', async () => {
    const wallet = pageWallet('io.metamask');
    page.announce(wallet);
    page.announce(wallet);
    for (const detail of [null, undefined, {}, { info: {} }, { info: { rdns: 'a' }, provider: {} }])
      page.announce(detail as unknown as AnnouncedProvider);
    expect(await namesOf()).toEqual(['io.metamask']);
  });

  it('does not take another Keystead provider for a wallet', async () => {
    page.announce(pageWallet('app.keystead', { installed: there }));
    page.announce(pageWallet('io.metamask'));
    expect(await namesOf()).toEqual(['io.metamask']);
  });

  it('waits for a wallet that comes after the page', async () => {
    jest.useFakeTimers();
    const looking = namesOf();
    await jest.advanceTimersByTimeAsync(500);
    page.announce(pageWallet('io.metamask.flask'));
    expect(await looking).toEqual(['io.metamask.flask']);
  });

  it('waits for it though a wallet that hosts none has answered before', async () => {
    jest.useFakeTimers();
    page.announce(plainWallet('com.nothing', () => Promise.resolve(null)));
    const looking = namesOf();
    await jest.advanceTimersByTimeAsync(500);
    page.announce(pageWallet('io.metamask.flask'));
    expect(await looking).toEqual(['io.metamask.flask']);
  });

  it('gives up a wallet that never answers', async () => {
    jest.useFakeTimers();
    page.announce(plainWallet('com.hangs', () => new Promise(() => undefined)));
    page.announce(pageWallet('io.metamask'));
    const looking = namesOf();
    await jest.advanceTimersByTimeAsync(3000);
    expect(await looking).toEqual(['io.metamask']);
  });

  it('says what to do if there is none', async () => {
    jest.useFakeTimers();
    const looking = findSnapWallets(SNAP).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await looking).toMatchObject({
      name: 'ProviderRpcError',
      code: 4900,
      message: expect.stringContaining('Install MetaMask Flask') as string,
    });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('says what to do where there is no page', async () => {
    page.close();
    await expect(findSnapWallets(SNAP)).rejects.toMatchObject({
      code: 4900,
      message: expect.stringContaining('the option "wallet"') as string,
    });
  });
});
