const AT = 1_800_000_000n;

type LocalTime = (seconds: bigint | number) => string;

/** The function as a browser in this zone evaluates its module. */
async function inZone(timeZone: string | undefined): Promise<LocalTime> {
  jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ timeZone } as never);
  let found: LocalTime = String;
  await jest.isolateModulesAsync(async () => {
    found = (await import('../../../src/companion/model/local-time')).localTime;
  });
  return found;
}

it.each<[string | undefined, RegExp]>([
  ['Asia/Kolkata', /Jan.*2027.*1:30.*GMT\+5:30/u],
  ['UTC', /Jan.*2027.*8:00.*UTC/u],
  [undefined, /Jan.*2027.*8:00.*UTC/u],
])('a time is shown on the clock of %s, with the zone', async (zone, shown) => {
  const localTime = await inZone(zone);
  expect(localTime(AT)).toMatch(shown);
  expect(localTime(Number(AT))).toMatch(shown);
});

it('a time after the year 9999 never comes', async () => {
  expect((await inZone('UTC'))(2n ** 64n - 1n)).toBe('never');
});
