import { type KeyringAccount } from '@metamask/keyring-api';

import { ApprovalController } from '@metamask/approval-controller';
import { Messenger } from '@metamask/messenger';

import { Accounts } from '../../../src/simulated-wallet/accounts';
import { BackgroundEvents } from '../../../src/simulated-wallet/background-events';
import { endowmentsOf } from '../../../src/simulated-wallet/executor/endowments';
import { Interfaces, type SnapElement } from '../../../src/simulated-wallet/interfaces';
import { Lock } from '../../../src/simulated-wallet/lock';
import { assertOriginMay, assertSnapMay } from '../../../src/simulated-wallet/permissions';
import { RpcError } from '../../../src/simulated-wallet/rpc-error';
import { unwrapSnapError } from '../../../src/simulated-wallet/snap-errors';
import { type Manifest, urlOfSnap } from '../../../src/simulated-wallet/snap-files';
import { answerSnap, type SnapApiDeps } from '../../../src/simulated-wallet/snap-api';
import { SnapState } from '../../../src/simulated-wallet/snap-state';
import { type Caller } from '../../../src/simulated-wallet/caller';
import { answerPage } from '../../../src/simulated-wallet/wallet-api';
import { memoryStore } from './memory-store';

const manifest = (initialPermissions: Record<string, unknown>): Manifest =>
  ({ initialPermissions }) as unknown as Manifest;

const ACCOUNT = {
  id: '26564bca-05f7-4b72-a8a8-cca977f1b98c',
  type: 'eip155:eoa',
  address: '0xC72E67790B356e391Ec48446F9A1724b9932A6af',
  scopes: ['eip155:0'],
  methods: ['personal_sign'],
  options: {},
} as unknown as KeyringAccount;

describe('the lock of the simulated wallet', () => {
  it('lets waiting requests go on once it is unlocked, and not before', async () => {
    const lock = await Lock.open(memoryStore());
    await lock.whenUnlocked();
    await lock.set(true);
    let isDone = false;
    const waiting = lock.whenUnlocked().then(() => {
      isDone = true;
    });
    await lock.set(true);
    await new Promise(setImmediate);
    expect(isDone).toBe(false);
    await lock.set(false);
    await waiting;
  });

  it('stays locked when the page is left', async () => {
    const store = memoryStore();
    await (await Lock.open(store)).set(true);
    expect((await Lock.open(store)).isLocked).toBe(true);
  });
});

describe('dialogs of the simulated wallet', () => {
  it('are one of each type at a time, and a second one is refused as MetaMask refuses it', async () => {
    const answers: (() => void)[] = [];
    const deps = {
      snapId: 'npm:keystead',
      files: { manifest: manifest({ snap_dialog: {} }) },
      interfaces: new Interfaces(),
      openDialogs: new Set<string>(),
      screens: {
        dialog: () =>
          new Promise((resolve) => {
            answers.push(() => {
              resolve(true);
            });
          }),
      },
    } as unknown as SnapApiDeps;
    const content = { type: 'Text', props: { children: 'Sign?' }, key: null };
    const show = (type?: string) => answerSnap('snap_dialog', { ...(type !== undefined && { type }), content }, deps);
    const messenger = new Messenger({ namespace: 'ApprovalController' } as never);
    const approvals = new ApprovalController({ messenger, showApprovalRequest: () => undefined } as never);
    for (const type of ['confirmation', 'alert', undefined]) {
      const first = show(type);
      const [second] = await Promise.allSettled([show(type)]);
      const add = () =>
        approvals.add({ origin: 'npm:keystead', type: type === undefined ? 'snap_dialog' : `snap_dialog:${type}` });
      void add();
      let refusal: unknown;
      try {
        void add();
      } catch (error) {
        refusal = error;
      }
      const { code, message } = refusal as { code: number; message: string };
      expect(second).toMatchObject({ status: 'rejected', reason: { code, message } });
      answers.pop()!();
      expect(await first).toBe(true);
    }
    const again = show('confirmation');
    answers.pop()!();
    expect(await again).toBe(true);
  });
});

describe('permissions of the simulated wallet', () => {
  it('allow a snap only the methods of its manifest', () => {
    const snap = manifest({ snap_dialog: {}, snap_manageState: {} });
    for (const method of ['snap_dialog', 'snap_getState', 'snap_setState', 'snap_createInterface', 'snap_getFile'])
      expect(() => {
        assertSnapMay(snap, method);
      }).not.toThrow();
    for (const method of ['snap_getEntropy', 'snap_manageAccounts', 'snap_scheduleBackgroundEvent'])
      expect(() => {
        assertSnapMay(snap, method);
      }).toThrow(expect.objectContaining({ code: 4100 }));
  });

  it('allow origins as MetaMask does', () => {
    const snap = manifest({
      'endowment:keyring': { allowedOrigins: ['http://localhost:8000', 'https://*.example'] },
      'endowment:rpc': { dapps: true },
    });
    const may = (endowment: string, origin: string) => {
      try {
        assertOriginMay(snap, endowment, origin);
        return true;
      } catch {
        return false;
      }
    };
    expect(may('endowment:keyring', 'metamask')).toBe(true);
    expect(may('endowment:keyring', 'http://localhost:8000')).toBe(true);
    expect(may('endowment:keyring', 'https://a.example')).toBe(true);
    expect(may('endowment:keyring', 'http://localhost:80000')).toBe(false);
    expect(may('endowment:keyring', 'https://example')).toBe(false);
    expect(may('endowment:rpc', 'https://any.page')).toBe(true);
    expect(may('endowment:page-home', 'https://any.page')).toBe(false);
  });

  it('provide the globals of the permissions', () => {
    expect(endowmentsOf({ 'endowment:network-access': {} })).toEqual(
      expect.arrayContaining(['atob', 'fetch', 'Request', 'Headers', 'Response']),
    );
    expect(endowmentsOf({})).not.toContain('fetch');
    expect(endowmentsOf({})).not.toContain('ethereum');
    expect(endowmentsOf({ 'endowment:ethereum-provider': {} })).toContain('ethereum');
  });
});

describe('accounts of the simulated wallet', () => {
  it('are added once, with unique ids and addresses', async () => {
    const accounts = new Accounts(memoryStore());
    expect(await accounts.isNew(ACCOUNT)).toBe(true);
    await accounts.add(ACCOUNT, 'One');
    expect(await accounts.isNew(ACCOUNT)).toBe(false);
    const otherId = { ...ACCOUNT, id: '36564bca-05f7-4b72-a8a8-cca977f1b98c' };
    await expect(accounts.isNew(otherId)).rejects.toThrow(/address .* already exists/u);
    const otherAddress = { ...ACCOUNT, address: '0x00000000000000000000000000000000000000A1' };
    await expect(accounts.isNew(otherAddress)).rejects.toThrow(/ID .* already exists/u);
    await expect(accounts.update(otherAddress)).rejects.toThrow('Cannot change address');
    await accounts.delete(ACCOUNT.id);
    await accounts.delete(ACCOUNT.id);
    expect(await accounts.list()).toEqual([]);
  });

  it.each([
    ['id', { id: 'one' }],
    ['type', { type: 'bip122:p2wpkh' }],
    ['address', { address: '0x12' }],
    ['scopes', { scopes: ['eip155:1'] }],
    ['methods', { methods: ['eth_signUserOperation'] }],
    ['extra', { extra: 1 }],
  ])('rejects an account with a wrong %s', async (member, change) => {
    const accounts = new Accounts(memoryStore());
    await expect(accounts.isNew({ ...ACCOUNT, ...change } as KeyringAccount)).rejects.toThrow(`account.${member}:`);
  });
});

describe('the state of a snap', () => {
  it('is read and written by path, with the encrypted part separate', async () => {
    const state = new SnapState(memoryStore());
    expect(await state.get(undefined, true)).toBeNull();
    await state.set('a.b', 1, true);
    await state.set('a.c', [2], true);
    expect(await state.get(undefined, true)).toEqual({ a: { b: 1, c: [2] } });
    expect(await state.get('a.x.y', true)).toBeNull();
    expect(await state.get('a', false)).toBeNull();
    await state.clear(true);
    expect(await state.get(undefined, true)).toBeNull();
  });

  it('rejects what MetaMask rejects', async () => {
    const state = new SnapState(memoryStore());
    await expect(state.set(undefined, 1, true)).rejects.toThrow('Value must be an object');
    await expect(state.set('a..b', 1, true)).rejects.toThrow('Invalid state key');
    await expect(state.set('__proto__.x', 1, true)).rejects.toThrow('forbidden');
    await state.set('a', 1, true);
    await expect(state.set('a.b', 1, true)).rejects.toThrow('Cannot overwrite non-object value');
  });
});

const element = (type: string, props: Record<string, unknown>): SnapElement =>
  ({ type, props, key: null }) as unknown as SnapElement;

describe('interfaces of a snap', () => {
  const form = (value: string) =>
    element('Form', {
      name: 'settings',
      children: [
        element('Dropdown', {
          name: 'choice',
          children: [
            element('Option', { value: 'one', children: '1' }),
            element('Option', { value: 'two', children: '2' }),
          ],
        }),
        element('Input', { name: 'text', ...(value !== '' && { value }) }),
        element('Checkbox', { name: 'check' }),
      ],
    });

  it('hold initial values, typed values and the values of new content', () => {
    const interfaces = new Interfaces();
    const id = interfaces.create(form(''));
    expect(interfaces.get(id).state).toEqual({ settings: { choice: 'one', text: null, check: false } });
    interfaces.setField(id, 'settings', 'choice', 'two');
    interfaces.setField(id, 'settings', 'text', 'typed');
    interfaces.update(id, form(''));
    expect(interfaces.get(id).state).toEqual({ settings: { choice: 'two', text: 'typed', check: false } });
    interfaces.update(id, form('from the snap'));
    expect(interfaces.get(id).state).toEqual({ settings: { choice: 'two', text: 'from the snap', check: false } });
  });

  it('reject two fields with one name, and unknown ids', () => {
    const interfaces = new Interfaces();
    const twice = element('Box', { children: [element('Input', { name: 'a' }), element('Input', { name: 'a' })] });
    expect(() => interfaces.create(twice)).toThrow('have the name "a"');
    expect(() => interfaces.get('none')).toThrow('no interface');
  });
});

describe('errors of the execution environment', () => {
  const wrapped = (cause: unknown) => new RpcError(-31001, 'Wrapped Snap Error', { cause } as never);

  it('tell errors that the snap threw on purpose from crashes', () => {
    const snapError = {
      code: -31002,
      message: 'Snap Error',
      data: { cause: { code: 4001, message: 'No.', data: { a: 1 } } },
    };
    expect(unwrapSnapError(wrapped(snapError))).toEqual({
      isHandled: true,
      error: expect.objectContaining({ code: 4001, message: 'No.', data: { a: 1 } }) as unknown,
    });
    expect(unwrapSnapError(wrapped({ message: 'x is not a function' }))).toEqual({
      isHandled: false,
      error: expect.objectContaining({ code: -32603, message: 'x is not a function' }) as unknown,
    });
  });
});

describe('background events', () => {
  it('fire once when they are due, unless they are cancelled', async () => {
    jest.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') });
    const fired: string[] = [];
    const events = new BackgroundEvents(memoryStore(), ({ method }) => fired.push(method));
    await events.schedule({ duration: 'PT30S', request: { method: 'first' } });
    const id = await events.schedule({ date: '2026-01-01T00:00:10Z', request: { method: 'second' } });
    await events.cancel(id);
    await jest.advanceTimersByTimeAsync(29_000);
    expect(fired).toEqual([]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(fired).toEqual(['first']);
    expect(await events.list()).toEqual([]);
    await expect(events.schedule({ duration: '30 s', request: { method: 'x' } })).rejects.toThrow('ISO 8601');
    await expect(events.cancel(id)).rejects.toThrow('no background event');
    jest.useRealTimers();
  });
});

describe('methods for pages', () => {
  it.each(['constructor', 'toString', '__proto__', 'eth_unknown'])('do not include %s', async (method) => {
    await expect(answerPage(method, undefined, {} as Caller)).rejects.toMatchObject({ code: -32601 });
  });
});

describe('urlOfSnap', () => {
  it('accepts only snaps of this machine', () => {
    expect(urlOfSnap('local:http://localhost:8080')).toBe('http://localhost:8080');
    expect(urlOfSnap('local:http://127.0.0.1:9/')).toBe('http://127.0.0.1:9');
    for (const id of [
      'npm:keystead',
      'local:http://evil.example',
      'local:http://localhost:8080@evil.example',
      'http://localhost',
    ])
      expect(() => urlOfSnap(id)).toThrow('this machine');
  });
});
