/**
 * Jest's workers report failures as JSON, which has no bigint: without this, a failed `expect(1n).toBe(2n)` is
 * reported as "Do not know how to serialize a BigInt" and the failure itself is lost. Only Jest's own realm is
 * changed: tests, and what they test, run in a context with a `BigInt` of its own.
 */
Object.defineProperty(BigInt.prototype, 'toJSON', {
  configurable: true,
  value() {
    return `${this}n`;
  },
});
