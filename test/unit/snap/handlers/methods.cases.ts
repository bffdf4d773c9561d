import { SITE_READS } from '../../../../src/core/methods/node-reads';
import { OWN_METHODS, ownTraits } from '../../../../src/core/methods/own';
import { SITE_METHODS } from '../../../../src/core/methods/sites';
import { type Answer } from '../../../support/wallet/installed';
import { answerOf, SnapInProcess } from '../../../support/wallet/in-process';
import { COMPANION } from '../../../support/wallet/program';
import { callName, WalletDouble } from '../../../support/wallet/wallet-double';

const SITE = 'https://dapp.example';
/** Names that a table has without having them as methods, and names that only look like methods. */
const UNKNOWN = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'keystead_',
  'keyring_',
  'KEYRING_LISTACCOUNTS',
];
const FOR_SITES = [...Object.keys(SITE_METHODS), ...SITE_READS];

/** A fresh snap, and what it asked the wallet for. */
function start({ locked = false }: { locked?: boolean } = {}) {
  const world = new WalletDouble();
  world.locked = locked;
  const calls: string[] = [];
  world.onRequest = (request) => calls.push(callName(request));
  const snap = new SnapInProcess(world);
  const without = (answer: Promise<Answer>) => answer.then(({ result, error }) => error?.code ?? { result });
  return {
    calls,
    asSite: (method: string) => without(answerOf(snap.dapp(method, [], SITE))),
    asPage: (method: string) => without(answerOf(snap.dapp(method, [], COMPANION))),
    keyring: (method: string, origin: string) => without(answerOf(snap.keyring(method, [], origin))),
  };
}

/** The codes of a refusal because of who calls, or because there is no such method. */
const REFUSED = [4100, 4200, -32601];

describe('a caller gets no more than the table of methods says:', () => {
  it('a site that calls methods of MetaMask and of Keystead’s own pages', async () => {
    const { asSite, calls, keyring } = start();
    for (const name of [...UNKNOWN, ...Object.keys(OWN_METHODS)]) {
      if (!Object.hasOwn(SITE_METHODS, name) || Object.hasOwn(Object.prototype, name))
        expect([name, REFUSED]).toEqual([name, expect.arrayContaining([await asSite(name)])]);
      expect([name, await keyring(name, SITE)]).toEqual([name, 4100]);
    }
    expect(calls).toEqual([]);
  });

  it('a page that signs in MetaMask’s place, or calls what does not exist', async () => {
    const { calls, keyring } = start();
    const forWallet = Object.keys(OWN_METHODS).filter((name) => ownTraits(name)?.isForWallet);
    expect(forWallet).toContain('keyring_submitRequest');
    for (const name of [...UNKNOWN, ...forWallet, ...SITE_READS, 'personal_sign'])
      expect([name, await keyring(name, COMPANION)]).toEqual([name, 4100]);
    expect(calls).toEqual([]);
  });

  it('MetaMask that calls what does not exist', async () => {
    const { keyring } = start();
    for (const name of [...UNKNOWN, ...SITE_READS, 'personal_sign'])
      expect([name, await keyring(name, 'metamask')]).toEqual([name, -32601]);
  });
});

describe('a method of the table', () => {
  it.each(FOR_SITES)('for sites, %s, answers a site without a connection only if it is open', async (name) => {
    const isOpen = name in SITE_METHODS && 'isOpen' in SITE_METHODS[name as keyof typeof SITE_METHODS];
    expect((await start().asSite(name)) === 4100).toBe(!isOpen);
  });

  it.each(FOR_SITES)('for sites, %s, does while the wallet is locked what the table says', async (name) => {
    const { asSite, calls } = start({ locked: true });
    const { locked } = SITE_METHODS[name as keyof typeof SITE_METHODS] ?? {};
    const answer = await asSite(name);
    // The wallet asks for its password when the state is read.
    const asksForPassword = calls.some((call) => call.startsWith('snap_getState'));
    expect(asksForPassword).toBe(locked === 'unlock');
    if (locked === 'empty') expect(answer).toEqual({ result: [] });
    if (locked === undefined) expect(answer).toBe(4100);
  });

  it.each(Object.entries(OWN_METHODS))('for MetaMask and its pages, %s, has a handler', async (name, traits) => {
    expect(await start().keyring(name, 'metamask')).not.toBe(-32601);
    if (traits.isForWallet !== true) expect(REFUSED).not.toContain(await start().keyring(name, COMPANION));
  });

  it.each(Object.entries(OWN_METHODS))('for MetaMask and its pages, %s, in a locked wallet', async (name, traits) => {
    const { calls, keyring } = start({ locked: true });
    expect(await keyring(name, COMPANION)).toBe(4100);
    expect(calls.filter((call) => call !== 'snap_getClientStatus')).toEqual([]);
    await keyring(name, 'metamask');
    expect(calls.some((call) => call === 'snap_getState version')).toBe(traits.worksLocked !== true);
  });

  it('of management reaches its handler from a page through the other handler too', async () => {
    const { asPage } = start();
    for (const name of ['keystead_getTokens', 'keystead_getChains']) expect(await asPage(name)).toEqual({ result: [] });
  });
});
