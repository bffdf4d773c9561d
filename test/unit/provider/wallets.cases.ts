import { version } from '../../../package.json';
import { type AnnouncedProvider, findSnapWallets } from '../../../src/provider';
import { openPage } from '../../support/page';
import { pageWallet } from '../../support/wallet/page-wallet';

const SNAP = 'npm:keystead';
const installed = { [SNAP]: { version, enabled: true, blocked: false } };
const namesOf = async (): Promise<string[]> => (await findSnapWallets(SNAP)).map(({ info }) => info.name);
const plainWallet = (rdns: string, request: () => Promise<unknown>): AnnouncedProvider => ({
  ...pageWallet(rdns),
  provider: { request },
});

describe('findSnapWallets', () => {
  let page: ReturnType<typeof openPage>;
  beforeEach(() => {
    page = openPage();
  });
  afterEach(() => {
    page.close();
    jest.useRealTimers();
  });

  it('finds the only wallet without opening a dialog', async () => {
    const wallet = pageWallet('io.metamask.flask');
    page.announce(wallet);
    expect(await namesOf()).toEqual(['io.metamask.flask']);
    expect(wallet.methods()).toEqual(['wallet_getSnaps']);
  });

  it('leaves out wallets that host no snaps', async () => {
    page.announce(plainWallet('com.refuses', () => Promise.reject(new Error('unknown method'))));
    page.announce(plainWallet('com.nothing', () => Promise.resolve(null)));
    page.announce(pageWallet('io.metamask'));
    expect(await namesOf()).toEqual(['io.metamask']);
  });

  it('sorts Flask before MetaMask, and MetaMask before others in the order they announce themselves', async () => {
    for (const rdns of ['org.other', 'io.metamask', 'com.last', 'io.metamask.flask']) page.announce(pageWallet(rdns));
    expect(await namesOf()).toEqual(['io.metamask.flask', 'io.metamask', 'org.other', 'com.last']);
  });

  it('sorts the wallet that has the snap first', async () => {
    page.announce(pageWallet('io.metamask.flask'));
    page.announce(pageWallet('org.other', { installed }));
    expect(await namesOf()).toEqual(['org.other', 'io.metamask.flask']);
  });

  it('sorts MetaMask first among the wallets that have the snap', async () => {
    page.announce(pageWallet('org.other', { installed }));
    page.announce(pageWallet('io.metamask', { installed }));
    page.announce(pageWallet('io.metamask.flask'));
    expect(await namesOf()).toEqual(['io.metamask', 'org.other', 'io.metamask.flask']);
  });

  it('finds two wallets that announce the same UUID', async () => {
    const wallet = pageWallet('io.metamask', { installed });
    const other = pageWallet('org.other');
    page.announce({ ...other, info: { ...other.info, uuid: wallet.info.uuid } });
    page.announce(wallet);
    expect(await namesOf()).toEqual(['io.metamask', 'org.other']);
  });

  it('ignores repeated and malformed announcements', async () => {
    const wallet = pageWallet('io.metamask');
    page.announce(wallet);
    page.announce(wallet);
    for (const detail of [null, undefined, {}, { info: {} }, { info: { rdns: 'a' }, provider: {} }])
      page.announce(detail as unknown as AnnouncedProvider);
    expect(await namesOf()).toEqual(['io.metamask']);
  });

  it('ignores another Keystead provider', async () => {
    page.announce(pageWallet('app.keystead', { installed }));
    page.announce(pageWallet('io.metamask'));
    expect(await namesOf()).toEqual(['io.metamask']);
  });

  it('waits for a wallet that loads after the page', async () => {
    jest.useFakeTimers();
    const looking = namesOf();
    await jest.advanceTimersByTimeAsync(500);
    page.announce(pageWallet('io.metamask.flask'));
    expect(await looking).toEqual(['io.metamask.flask']);
  });

  it('keeps waiting after a wallet without snaps has answered', async () => {
    jest.useFakeTimers();
    page.announce(plainWallet('com.nothing', () => Promise.resolve(null)));
    const looking = namesOf();
    await jest.advanceTimersByTimeAsync(500);
    page.announce(pageWallet('io.metamask.flask'));
    expect(await looking).toEqual(['io.metamask.flask']);
  });

  it('gives up on a wallet that never answers', async () => {
    jest.useFakeTimers();
    page.announce(plainWallet('com.hangs', () => new Promise(() => undefined)));
    page.announce(pageWallet('io.metamask'));
    const looking = namesOf();
    await jest.advanceTimersByTimeAsync(3000);
    expect(await looking).toEqual(['io.metamask']);
  });

  it('explains what to do if there is no wallet', async () => {
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

  it('explains what to do outside a web page', async () => {
    page.close();
    await expect(findSnapWallets(SNAP)).rejects.toMatchObject({
      code: 4900,
      message: expect.stringContaining('the option "wallet"') as string,
    });
  });
});
