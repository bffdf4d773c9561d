import { benchAbuse } from '../../bench/service/abuse';

/** MiB that one key, or one address, may take. */
const MORE_MEMORY = 256;
/**
 * The seconds after which its connections are closed, at most, if not one: what the clients have sent is read first,
 * and offers of thousands of connections are answered in turns.
 */
const IN_TURN: Readonly<Record<string, number>> = { 'queued uploads': 45, 'pipelined offers': 5 };
/** The bar on times of an attack by one key or one address; no other attack has this one. */
const BAR_OF_ONE = '3';

test('the service answers honest requests during every attack, and nothing is left of it soon after', async () => {
  const { data } = await benchAbuse({ quick: true, older: undefined, attacks: [] });
  const { attacks } = data as { attacks: string[][] };
  expect(attacks.length).toBeGreaterThanOrEqual(18);
  const faults = attacks.flatMap(([attack, , , , , bar, , , failed, descriptors, seconds, memory]) => [
    ...(failed === '0' ? [] : [`${attack}: ${failed} honest requests failed`]),
    ...(Number(seconds) <= (IN_TURN[attack!] ?? 1) ? [] : [`${attack}: ${descriptors} descriptors, ${seconds} s`]),
    ...(bar !== BAR_OF_ONE || Number(memory) <= MORE_MEMORY ? [] : [`${attack}: ${memory} MiB more`]),
  ]);
  expect(faults).toEqual([]);
}, 1_800_000);
