import { sharesOf, sharesTable } from '../../../bench/parts/snap-tables';
import { withFloors } from '../../../bench/parts/warm';
import { alternate } from '../../../bench/runtime/alternate';
import { providerAnswer } from '../../../bench/runtime/provider';

const median = (value: number) => ({ median: value, low: value, high: value, count: 1 });
const size = (raw: number) => ({ raw, gzip: raw / 2 });

describe('what ours takes of what others take', () => {
  const sizes = { keystead: size(100), simple: size(400), smart: size(500) };
  const times = {
    'first answer again': { 'empty snap': median(1), keystead: median(3), simple: median(1.1) },
    personal_sign: { 'empty snap': median(1), keystead: median(2), simple: median(5) },
    eth_signTransaction: { 'empty snap': median(1), keystead: median(2), simple: median(0.9) },
    eth_sign: { 'empty snap': median(1), simple: median(2) },
    eth_signUserOperation: { 'empty snap': median(1), smart: median(30) },
  };
  const shares = sharesOf(['simple', 'smart'], sizes, times);

  it('is of the bundle, and of the time above the empty snap in what both sign', () => {
    expect(shares.simple?.bundle).toStrictEqual({ ours: 100, theirs: 400, share: 0.25 });
    expect(shares.simple?.above.personal_sign).toStrictEqual({ ours: 1, theirs: 4, share: 0.25 });
    expect(Object.keys(shares.simple?.above ?? {})).toStrictEqual(['personal_sign', 'eth_signTransaction']);
    expect(shares.smart).toStrictEqual({ bundle: { ours: 100, theirs: 500, share: 0.2 }, above: {} });
  });

  it('stands in a table, without a number where the other takes nothing above the empty snap', () => {
    expect(sharesTable('here', ['simple', 'smart'], shares).rows).toStrictEqual([
      ['bundle, bytes', '100', '400', '0.25', '500', '0.20'],
      ['personal_sign', '1.0', '4.0', '0.25', '–', '–'],
      ['eth_signTransaction', '1.0', '-0.10', '–', '–', '–'],
    ]);
  });
});

it('sends the empty snaps what ours gets, or the first of the others', () => {
  const request = (method: string) => ({ door: 'keyring', origin: 'metamask', method }) as const;
  const [ours, other] = [request('ours'), request('other')];
  expect(withFloors({ other, keystead: ours })).toMatchObject({ 'empty snap': ours, other, keystead: ours });
  expect(withFloors({ other })).toMatchObject({ 'empty snap, one wallet call': other });
  expect(withFloors({})).toStrictEqual({});
});

it('has snaps answer in turn, and goes on without one that stops', async () => {
  const asked: string[] = [];
  const { times, failed } = await alternate({ one: 1, two: 2 }, 3, 2, async (name, request) => {
    asked.push(name);
    await Promise.resolve();
    if (request === 2 && asked.filter((each) => each === 'two').length > 5) throw new Error('it stopped');
  });
  expect(asked.slice(0, 8)).toStrictEqual(['one', 'one', 'two', 'two', 'one', 'one', 'two', 'two']);
  expect(times.one).toHaveLength(3);
  expect(times).not.toHaveProperty('two');
  expect(failed).toStrictEqual({ two: 'it stopped' });
  expect(asked.filter((each) => each === 'two')).toHaveLength(6);
});

it('answers for the chain of a smart account that is not deployed yet', () => {
  expect(providerAnswer('eth_chainId', undefined)).toBe('0xaa36a7');
  expect(providerAnswer('eth_call', [{ data: '0xd087d288' }])).toBe(`0x${'0'.repeat(64)}`);
  expect(providerAnswer('eth_call', [{ input: '0x8cb84e18' }])).toMatch(/^0x0{24}[0-9a-f]{40}$/u);
  expect(providerAnswer('snap_getEntropy', {})).toBeUndefined();
});
