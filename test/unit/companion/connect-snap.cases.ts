import { connectSnap, type Waiting } from '../../../src/companion/model/connect-snap';
import { SnapClient } from '../../../src/companion/model/snap-client';

const ID = 'npm:keystead';
const REMOVING = new Error(`Snap "${ID}" runtime data not found`);

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { document: { hidden: false } });
});
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'document');
});

/** A page that connects to a wallet. @param answers - What the wallet does with each request to connect, in order. */
function connecting(isThere: boolean, answers: readonly (() => Promise<unknown>)[]) {
  const state = { isThere, asked: 0, isConnected: false, error: undefined as unknown };
  const request = async (method: string): Promise<unknown> => {
    if (method === 'wallet_getSnaps') return state.isThere ? { [ID]: {} } : {};
    return answers[state.asked++]!();
  };
  const wallet = { name: 'MetaMask', rdns: 'io.metamask', isSimulated: false, isFlask: false, provider: { request } };
  const told: Waiting[] = [];
  connectSnap(new SnapClient({ ...wallet, request } as never, ID), (waiting) => told.push(waiting)).then(
    () => (state.isConnected = true),
    (error: unknown) => (state.error = error),
  );
  return { state, told };
}
const never = () => new Promise<never>(() => undefined);
const refused = () => Promise.reject(REMOVING);
const answered = () => Promise.resolve({});
const pass = (seconds: number) => jest.advanceTimersByTimeAsync(seconds * 1000);

it('asks once, however long the person takes to answer', async () => {
  const { state, told } = connecting(false, [never]);
  await pass(14);
  expect(told).toEqual([]);
  await pass(600);
  expect({ told, ...state }).toMatchObject({ told: ['answer'], asked: 1, isConnected: false });
});

it.each([
  ['refuses', refused, ['removal']],
  ['never answers', never, ['answer', 'removal']],
])(
  'waits until the snap is gone if a wallet that is removing it %s, and asks again',
  async (_name, first, expected) => {
    const { state, told } = connecting(true, [first, answered]);
    await pass(60);
    expect(state).toMatchObject({ asked: 1, isConnected: false });
    state.isThere = false;
    await pass(2);
    expect({ told, ...state }).toMatchObject({ told: expected, asked: 2, isConnected: true });
  },
);

it('asks again every second while a wallet that no longer lists the snap refuses', async () => {
  const { state, told } = connecting(false, [refused, refused, answered]);
  await pass(0.5);
  expect(state.asked).toBe(1);
  await pass(3);
  expect({ told, ...state }).toMatchObject({ told: ['removal', 'removal'], asked: 3, isConnected: true });
});

it('passes on that the person rejected, and stops looking', async () => {
  const rejection = Object.assign(new Error('User rejected the request.'), { code: 4001 });
  const { state } = connecting(true, [() => Promise.reject(rejection)]);
  await pass(1);
  expect(state.error).toBe(rejection);
  expect(jest.getTimerCount()).toBe(0);
});
