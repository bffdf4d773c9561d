import { PARTS, readOptions, USAGE } from '../../../bench/options';

describe('the options of npm run bench', () => {
  it('are all parts if none is named, and those that are named, in their order', async () => {
    expect((await readOptions([]))?.parts).toEqual(PARTS);
    const options = await readOptions(['--part', 'state,snap', '--part', 'service', '--quick']);
    expect(options).toMatchObject({ parts: ['state', 'snap', 'service'], quick: true, alone: false });
  });

  it('are told on request, all of them', async () => {
    expect(await readOptions(['--help'])).toBeUndefined();
    for (const name of ['--part', '--snap', '--alone', '--quick', ...PARTS]) expect(USAGE).toContain(name);
  });

  it.each([
    [['--part', 'speed'], '--part speed: must be one of snap, waterfall, '],
    [['--fast'], "Unknown option '--fast'"],
    [['--snap', '/nothing'], '--snap /nothing: is not a folder'],
  ])('are refused in words: %j', async (args, sentence) => {
    await expect(readOptions(args)).rejects.toThrow(sentence);
  });
});
