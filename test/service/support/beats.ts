/** How often the service asks whether the client of a WebSocket is still there, in ms. */
const PING_MS = 30_000;

/** From here on the service asks when told to, and all other timers run as ever. `jest.useRealTimers` ends it. */
export function fakeBeats(): void {
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
      ...(['setTimeout', 'clearTimeout'] as const),
    ],
  });
}

/** Has the service ask once. */
export function beat(): void {
  jest.advanceTimersByTime(PING_MS);
}
