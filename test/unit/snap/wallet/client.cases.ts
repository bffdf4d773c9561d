import { Messenger, MOCK_ANY_NAMESPACE, type MockAnyNamespace } from '@metamask/messenger';
import { CronjobController } from '@metamask/snaps-controllers';
import { type JsonRpcRequest } from '@metamask/snaps-sdk';

import { scheduleEvent } from '../../../../src/snap/wallet/client';

/** The controller uses a branded type for it. */
const SNAP_ID = 'npm:keystead' as never;
const EVENT = 'lookUp';
/** In whole seconds, the controller's resolution. */
const START = Date.parse('2026-01-01T00:00:00Z');

type Request = { readonly method: string; readonly params?: Record<string, unknown> };
type Scheduled = Pick<JsonRpcRequest, 'method'>;
type SnapControllerAction = {
  type: 'SnapController:handleRequest';
  handler: (args: { request: Scheduled }) => Promise<null>;
};

/** MetaMask's own controller of background events, behind the requests of a snap. */
function startWallet() {
  const fired: { readonly method: string; readonly at: number }[] = [];
  const messenger = new Messenger<MockAnyNamespace, SnapControllerAction>({ namespace: MOCK_ANY_NAMESPACE });
  messenger.registerActionHandler('SnapController:handleRequest', ({ request }) => {
    fired.push({ method: request.method, at: (Date.now() - START) / 1000 });
    return Promise.resolve(null);
  });
  const controller = new CronjobController({
    messenger: messenger as never,
    stateManager: { getInitialState: () => undefined, set: () => undefined },
  });
  const requests: Record<string, (params: Record<string, unknown>) => unknown> = {
    snap_getBackgroundEvents: () => controller.get(SNAP_ID),
    snap_scheduleBackgroundEvent: ({ duration, request }) =>
      controller.schedule({ snapId: SNAP_ID, schedule: duration as string, request: request as Scheduled }),
    snap_cancelBackgroundEvent: ({ id }) => {
      controller.cancel(SNAP_ID, id as string);
      return null;
    },
  };
  const request = async ({ method, params = {} }: Request): Promise<unknown> => {
    await Promise.resolve();
    return requests[method]?.(params);
  };
  Object.assign(globalThis, { snap: { request } });
  return { controller, fired, requests };
}

beforeEach(() => {
  jest.useFakeTimers({ now: START });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'snap');
  jest.useRealTimers();
});

describe('a background event', () => {
  it('fires once, at the earliest requested time', async () => {
    const { controller, fired } = startWallet();
    await scheduleEvent(EVENT, 600);
    await scheduleEvent(EVENT, 30);
    await scheduleEvent(EVENT, 600);
    await scheduleEvent(EVENT, 30);
    expect(controller.get(SNAP_ID)).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(700_000);
    expect(fired).toEqual([{ method: EVENT, at: 30 }]);
  });

  it('is not delayed by a later one', async () => {
    const { fired } = startWallet();
    await scheduleEvent(EVENT, 600);
    await jest.advanceTimersByTimeAsync(590_000);
    await scheduleEvent(EVENT, 30);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(fired).toEqual([{ method: EVENT, at: 600 }]);
  });

  it('does not affect events of another name', async () => {
    const { fired } = startWallet();
    await scheduleEvent('other', 600);
    await scheduleEvent(EVENT, 30);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(fired).toEqual([
      { method: EVENT, at: 30 },
      { method: 'other', at: 600 },
    ]);
  });

  it('is scheduled even if the previous one cannot be cancelled', async () => {
    const { fired, requests } = startWallet();
    await scheduleEvent(EVENT, 600);
    requests.snap_cancelBackgroundEvent = () => {
      throw new Error('no');
    };
    await scheduleEvent(EVENT, 30);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(fired).toEqual([{ method: EVENT, at: 30 }]);
  });

  it('is ignored by a wallet without background events', async () => {
    const { requests } = startWallet();
    requests.snap_getBackgroundEvents = () => {
      throw new Error('no such method');
    };
    await expect(scheduleEvent(EVENT, 30)).resolves.toBeUndefined();
  });
});
