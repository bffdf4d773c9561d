import { LockedError, RemovedError } from '../../../src/companion/model/errors';
import { readSnapData, SnapClient } from '../../../src/companion/model/snap-client';
import { locked } from '../../../src/snap/handlers/middleware';
import { ALICE, BOB } from '../../support/companion/samples';

type Request = { readonly method: string; readonly params?: unknown };

/** A client of a snap with fixed answers by method, and a record of what it was asked. */
function clientOf(answers: Readonly<Record<string, () => unknown>>) {
  const asked: Request[] = [];
  const request = <T>(how: string, params?: unknown): Promise<T> => {
    const { request: inner = { method: how, params } } = (params ?? {}) as { readonly request?: Request };
    asked.push(inner);
    return new Promise((resolve) => {
      resolve(answers[inner.method]?.() as T);
    });
  };
  const provider = { request: () => Promise.resolve(null) };
  const wallet = { name: 'Wallet', rdns: 'io.metamask.flask', isSimulated: false, isFlask: true, provider, request };
  return { asked, client: new SnapClient(wallet, 'npm:keystead') };
}

describe('useAccount', () => {
  it('asks nothing if the account is connected, however its address is spelled', async () => {
    const { asked, client } = clientOf({ eth_accounts: () => [ALICE.toLowerCase()] });
    await client.useAccount(ALICE);
    expect(asked.map(({ method }) => method)).toEqual(['eth_accounts']);
  });

  it('asks for the account, and is content once it is chosen', async () => {
    const connected = [[BOB], [BOB, ALICE]];
    const { asked, client } = clientOf({ eth_accounts: () => connected.shift() });
    await client.useAccount(ALICE);
    expect(asked[1]).toEqual({
      method: 'wallet_requestPermissions',
      params: [{ eth_accounts: { caveats: [{ type: 'restrictReturnedAccounts', value: [ALICE] }] } }],
    });
  });

  it('says what to do if others were chosen', async () => {
    const { client } = clientOf({ eth_accounts: () => [BOB] });
    await expect(client.useAccount(ALICE)).rejects.toThrow(`This site is not connected to ${ALICE}. Try again`);
  });
});

describe('useChain', () => {
  it('switches only from another chain', async () => {
    const { asked, client } = clientOf({ eth_chainId: () => '0x1' });
    await client.useChain('0x1');
    await client.useChain('0x7a69');
    expect(asked.filter(({ method }) => method === 'wallet_switchEthereumChain')).toEqual([
      { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a69' }] },
    ]);
  });
});

it('knows whether the page is connected to this snap, without a dialog', async () => {
  expect(await clientOf({ wallet_getSnaps: () => ({ 'npm:keystead': {} }) }).client.isConnected()).toBe(true);
  expect(await clientOf({ wallet_getSnaps: () => ({ 'npm:other': {} }) }).client.isConnected()).toBe(false);
});

it('reads everything that the page shows', async () => {
  const { client } = clientOf({
    keyring_listAccounts: () => ['account'],
    keystead_getUnannounced: () => ['id'],
    keystead_getChains: () => ['chain'],
    keystead_getStorage: () => null,
    keystead_getTokens: () => ['token'],
  });
  expect(await readSnapData(client)).toEqual({
    accounts: ['account'],
    unannounced: ['id'],
    chains: ['chain'],
    storage: null,
    tokens: ['token'],
  });
});

describe('a locked wallet', () => {
  const failWith = (code: number, message: string) => () => {
    throw Object.assign(new Error(message), { code });
  };
  const { rpcCode, message } = locked();

  it('is reported to the page, whatever was asked', async () => {
    const answers = {
      keystead_getChains: failWith(rpcCode, message),
      keyring_listAccounts: failWith(rpcCode, message),
    };
    const { client } = clientOf(answers);
    let reports = 0;
    client.onLocked = () => {
      reports += 1;
    };
    await expect(client.dapp('keystead_getChains')).rejects.toThrow(LockedError);
    await expect(client.keyring('keyring_listAccounts')).rejects.toThrow(LockedError);
    expect(reports).toBe(2);
  });

  it('is told from one that fails otherwise', async () => {
    expect(await clientOf({ keystead_getTokens: failWith(rpcCode, message) }).client.isLocked()).toBe(true);
    expect(await clientOf({ keystead_getTokens: failWith(4100, 'Not connected.') }).client.isLocked()).toBe(false);
    expect(await clientOf({ keystead_getTokens: () => [] }).client.isLocked()).toBe(false);
  });
});

describe('a snap that the wallet removes', () => {
  const IDS = { 'npm:keystead': {} };
  const refuse = (message: string) => (): never => {
    throw Object.assign(new Error(message), { code: -32603 });
  };
  const REMOVING = 'Snap "npm:keystead" runtime data not found';

  it.each([
    ['there', IDS, () => []],
    ['there', IDS, refuse('Anything else.')],
    ['removing', IDS, refuse(REMOVING)],
    ['gone', {}, refuse(REMOVING)],
  ])('is %s', async (presence, snaps, keystead_getTokens) => {
    expect(await clientOf({ wallet_getSnaps: () => snaps, keystead_getTokens }).client.presence()).toBe(presence);
  });

  it.each([
    REMOVING,
    'The snap "npm:keystead" is not connected to "https://a.example". Please connect before invoking.',
  ])('is told once a request fails: %s', async (message) => {
    const { client } = clientOf({ keystead_getChains: refuse(message) });
    let told = 0;
    client.onRemoved = () => told++;
    await expect(client.dapp('keystead_getChains')).rejects.toThrow(RemovedError);
    expect(told).toBe(1);
  });

  it('is not taken for one whose own text names it', async () => {
    const { client } = clientOf({ keystead_getChains: refuse('The node says: the snap "x" is not connected to y') });
    await expect(client.dapp('keystead_getChains')).rejects.not.toThrow(RemovedError);
  });
});
