import { PARTS, readOptions, USAGE } from '../../../bench/options';

describe('the options of npm run bench', () => {
  it('are all parts if none is named, and those that are named, in their order', async () => {
    expect((await readOptions([]))?.parts).toEqual(PARTS);
    const options = await readOptions(['--part', 'abuse,snap', '--part', 'service', '--quick']);
    expect(options).toMatchObject({ parts: ['abuse', 'snap', 'service'], quick: true });
  });

  it('have the seed that is named, or one that is drawn', async () => {
    expect((await readOptions(['--seed', '42']))?.seed).toBe(42);
    const drawn = await Promise.all([readOptions([]), readOptions([])]);
    expect(drawn[0]?.seed).not.toBe(drawn[1]?.seed);
  });

  it('are told on request, all of them', async () => {
    expect(await readOptions(['--help'])).toBeUndefined();
    for (const name of ['--part', '--snap', '--quick', '--seed', '--attack', '--older', ...PARTS])
      expect(USAGE).toContain(name);
  });

  it.each([
    [['--part', 'speed'], '--part speed: must be one of snap, service, abuse'],
    [['--fast'], "Unknown option '--fast'"],
    [['--snap', '/nothing'], '--snap /nothing: is not a folder'],
    [['--seed', '-1'], 'argument is ambiguous'],
    [['--seed', 'one'], '--seed one: must be a whole number below 4294967296'],
    [['--seed', '4294967296'], '--seed 4294967296: must be a whole number'],
  ])('are refused in words: %j', async (args, sentence) => {
    await expect(readOptions(args)).rejects.toThrow(sentence);
  });
});
