import { benchAbuse } from '../../bench/service/abuse';

/** More than at the start, since timers and files of the service come and go, in parts of the whole. */
const MORE_DESCRIPTORS = 0.05;
/** MiB that one key, or one address, may take. */
const MORE_MEMORY = 256;
/** Its connections are closed in their turn, which takes longer: what their clients have sent is read first. */
const IN_TURN = 'queued uploads';
/** The bar on times of an attack by one key or one address; no other attack has this one. */
const BAR_OF_ONE = '3';

test('the service answers honest requests during every attack, and nothing is left of an attack one second after it', async () => {
  const { data } = await benchAbuse({ quick: true, older: undefined, attacks: [] });
  const { attacks } = data as { attacks: string[][] };
  expect(attacks.length).toBeGreaterThanOrEqual(18);
  const faults = attacks.flatMap(([attack, , , , , bar, , , failed, descriptors, memory]) => {
    const [before, , after] = descriptors!.split(', ').map(Number) as [number, number, number];
    return [
      ...(failed === '0' ? [] : [`${attack}: ${failed} honest requests failed`]),
      ...(after <= before * (1 + MORE_DESCRIPTORS) || attack === IN_TURN
        ? []
        : [`${attack}: ${descriptors} descriptors`]),
      ...(bar !== BAR_OF_ONE || Number(memory) <= MORE_MEMORY ? [] : [`${attack}: ${memory} MiB more`]),
    ];
  });
  expect(faults).toEqual([]);
}, 1_800_000);
