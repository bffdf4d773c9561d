import { startWorld, type World } from './world';

let shared: Promise<World> | undefined;

afterAll(async () => {
  const starting = shared;
  shared = undefined;
  await (await starting)?.stop();
});

/**
 * The world of a test file, which is stopped after it. Its descriptions must not use each other's accounts: one that
 * begins with the first accounts of a phrase has a phrase of its own, see {@link PHRASES}.
 */
export const sharedWorld = (): Promise<World> => (shared ??= startWorld());

/** Recovery phrases besides that of the runtime. */
export const PHRASES = {
  faults: 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  operations: 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
  viem: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  controller: 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  safeOfDapp: 'jelly better achieve collect unaware mountain thought cargo oxygen act hood bridge',
} as const;
