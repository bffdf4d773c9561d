/** The time between two pings of a WebSocket, in milliseconds. */
const PING_MS = 30_000;

/** Makes the service ping only when `beat` is called; other timers stay real. `jest.useRealTimers` ends this. */
export function fakeBeats(): void {
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
      ...(['setTimeout', 'clearTimeout'] as const),
    ],
  });
}

/** Makes the service ping once. */
export function beat(): void {
  jest.advanceTimersByTime(PING_MS);
}
