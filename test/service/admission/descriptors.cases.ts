import { descriptorLimit, divide } from '../../../src/service/admission/descriptors';

const DEFAULTS = { operations: 256, rpc: 10_000, storage: 10_000, gateway: 10_000 };
const sum = (shares: Record<string, number>) => Object.values(shares).reduce((total, each) => total + each, 0);

test('with enough descriptors, every listener gets what it wants', () => {
  expect(divide(DEFAULTS, 1_000_000)).toEqual(DEFAULTS);
  expect(divide(DEFAULTS, Infinity)).toEqual(DEFAULTS);
});

test.each([1024, 4096, 20_000])('all listeners together leave a reserve of %i', (limit) => {
  const shares = divide(DEFAULTS, limit);
  expect(sum(shares)).toBeLessThanOrEqual(limit - 256);
  const equal = [shares.rpc, shares.storage, shares.gateway];
  expect(Math.max(...equal) - Math.min(...equal)).toBeLessThanOrEqual(1);
});

test('what a modest listener does not need is left for the others', () => {
  expect(divide({ a: 10, b: 1000, c: 1000 }, 766)).toEqual({ a: 16, b: 247, c: 247 });
});

test('a very low limit still serves each listener', () => {
  expect(Math.min(...Object.values(divide(DEFAULTS, 64)))).toBe(16);
});

test('the limit of this process is known on Linux', () => {
  if (process.platform === 'linux') expect(descriptorLimit()).toBeGreaterThan(64);
  else expect(descriptorLimit()).toBe(Infinity);
});
