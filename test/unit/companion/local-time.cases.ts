const AT = 1_800_000_000n;

/** The module as a browser in this zone evaluates it. */
function inZone(timeZone: string | undefined): (seconds: bigint | number) => string {
  jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ timeZone } as never);
  let localTime: unknown;
  jest.isolateModules(() => {
    ({ localTime } = require('../../../src/companion/model/local-time') as { localTime: unknown });
  });
  return localTime as (seconds: bigint | number) => string;
}

it.each<[string | undefined, RegExp]>([
  ['Asia/Kolkata', /Jan.*2027.*1:30.*GMT\+5:30/u],
  ['UTC', /Jan.*2027.*8:00.*UTC/u],
  [undefined, /Jan.*2027.*8:00.*UTC/u],
])('a time is shown on the clock of %s, with the zone', (zone, shown) => {
  expect(inZone(zone)(AT)).toMatch(shown);
  expect(inZone(zone)(Number(AT))).toMatch(shown);
});

it('a time after the year 9999 never comes', () => {
  expect(inZone('UTC')(2n ** 64n - 1n)).toBe('never');
});
