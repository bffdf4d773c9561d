import { latencyTable, sharesOf, sharesTables, sizeTable, startTable } from '../../../bench/parts/snap-tables';
import { accountRows, signatureRows, spacedRows } from '../../../bench/parts/warm';
import { alternate } from '../../../bench/runtime/alternate';
import { providerAnswer } from '../../../bench/runtime/provider';

const median = (value: number) => ({ median: value, low: value, high: value, count: 1 });
const size = (raw: number) => ({ raw, gzip: raw / 2, brotli: raw / 4, files: 0 });
const [NO_CALL, STATE, ENTROPY] = ['empty snap', 'empty snap, one call: state', 'empty snap, one call: entropy'];

describe('what ours takes of what others take', () => {
  const sizes = { keystead: size(100), simple: size(400), smart: size(500) };
  const floors = { [NO_CALL]: median(1), [STATE]: median(2) };
  const times = {
    'first answer again': { ...floors, keystead: median(3), simple: median(1.1) },
    personal_sign: { ...floors, keystead: median(4), simple: median(7) },
    eth_signTransaction: { ...floors, keystead: median(3), simple: median(0.9) },
    'personal_sign, own key': { [NO_CALL]: median(1), [ENTROPY]: median(5), keystead: median(5), simple: median(9) },
    eth_sign: { ...floors, simple: median(2) },
    eth_signUserOperation: { ...floors, smart: median(30) },
  };
  const shares = sharesOf(['simple', 'smart'], sizes, times);

  it('is of the bundle, and of the time above each floor in what both sign, without the first answer', () => {
    expect(shares.simple?.bundle).toStrictEqual({ ours: 100, theirs: 400, share: 0.25 });
    expect(shares.simple?.above['no call'].personal_sign).toStrictEqual({ ours: 3, theirs: 6, share: 0.5 });
    expect(shares.simple?.above['one call'].personal_sign).toStrictEqual({ ours: 2, theirs: 5, share: 0.4 });
    expect(Object.keys(shares.simple?.above['one call'] ?? {})).toStrictEqual([
      'personal_sign',
      'eth_signTransaction',
      'personal_sign, own key',
    ]);
    expect(shares.smart).toStrictEqual({
      bundle: { ours: 100, theirs: 500, share: 0.2 },
      above: { 'no call': {}, 'one call': {} },
    });
  });

  it('is in a table for each floor, without a share where one of the two takes nothing above it', () => {
    const [noCall, oneCall] = sharesTables('here', ['simple', 'smart'], shares);
    expect(noCall?.title).toContain('above the empty snap that makes no call');
    expect(noCall?.rows).toStrictEqual([
      ['bundle, bytes', '100', '400', '0.25', '500', '0.20'],
      ['personal_sign', '3.0', '6.0', '0.50', '–', '–'],
      ['eth_signTransaction', '2.0', '-0.10', '–', '–', '–'],
      ['personal_sign, own key', '4.0', '8.0', '0.50', '–', '–'],
    ]);
    expect(oneCall?.title).toContain('above the empty snap that makes one call');
    expect(oneCall?.rows.at(-1)).toStrictEqual(['personal_sign, own key', '0.0', '4.0', '–', '–', '–']);
  });
});

describe('the tables of the built snaps', () => {
  const names = [NO_CALL, STATE, ENTROPY, 'keystead', 'keystead, baseline', 'other'] as string[];

  it('have the ratio of each request over both floors and the older build, and say where a snap failed', () => {
    const times = {
      'personal_sign, imported key': {
        [NO_CALL]: median(1),
        [STATE]: median(2),
        keystead: median(3),
        'keystead, baseline': median(4),
      },
      'personal_sign, own key': { [NO_CALL]: median(1), [ENTROPY]: median(5), keystead: median(6) },
    };
    const failures = { other: { 'personal_sign, imported key': 'no' }, keystead: { eth_sign: 'no' } };
    const { columns, rows } = latencyTable('title', names, times, failures);
    expect(columns.slice(-3)).toStrictEqual([
      'keystead / empty snap',
      'keystead / the one-call floor',
      'keystead / keystead, baseline',
    ]);
    const one = (value: string) => `${value} (${value}–${value})`;
    expect(rows).toStrictEqual([
      [
        'personal_sign, imported key',
        one('1.0'),
        one('2.0'),
        '–',
        one('3.0'),
        one('4.0'),
        'failed',
        '3.00',
        '1.50',
        '0.75',
      ],
      ['personal_sign, own key', one('1.0'), '–', one('5.0'), one('6.0'), '–', '–', '6.00', '1.20', '–'],
      ['eth_sign', '–', '–', '–', 'failed', '–', '–', '–', '–', '–'],
    ]);
  });

  it('have the size of each bundle, and what ours is of the older build', () => {
    const sizes = { keystead: size(300), 'keystead, baseline': { ...size(200), files: 10 } };
    expect(sizeTable('title', ['keystead', 'keystead, baseline'], sizes).rows).toStrictEqual([
      ['keystead', '300', '150', '75', '0'],
      ['keystead, baseline', '200', '100', '50', '10'],
      ['keystead / keystead, baseline', '1.50', '1.50', '1.50', '0.00'],
    ]);
    expect(sizeTable('title', ['keystead'], sizes).rows).toHaveLength(1);
  });

  it('have the ratio of each start over both floors and the older build', () => {
    const start = (boot: number, firstSignature?: number) => ({
      boot: [boot],
      firstSignature: firstSignature === undefined ? [] : [firstSignature],
      heap: 1e6,
    });
    const starts = {
      [NO_CALL]: start(100),
      [STATE]: start(110),
      keystead: start(132, 200),
      'keystead, baseline': start(120, 100),
    };
    const { columns, rows } = startTable('title', Object.keys(starts), {
      starts,
      node: { memory: {}, failed: {}, left: {} },
    });
    const ours = Object.fromEntries(columns.map((column, at) => [column, rows[2]?.[at]]));
    expect(ours).toMatchObject({
      'boot / empty snap': '1.32',
      'boot / empty snap, one call: state': '1.20',
      'boot / keystead, baseline': '1.10',
      'restart / keystead, baseline': '2.00',
    });
  });
});

describe('what the built snaps are asked', () => {
  const request = (method: string) => ({ handler: 'keyring', origin: 'metamask', method }) as const;
  const [ours, other] = [request('ours'), request('other')];
  const extent = { rounds: 40, seed: 1 };

  it('goes to the empty snaps as ours gets it, or the first of the others: to those with one call, the one that ours makes', () => {
    const rows = signatureRows(
      {
        'personal_sign, imported key': { other, keystead: ours },
        'personal_sign, own key': { other },
        eth_sign: {},
      },
      extent,
    );
    expect(rows.map(({ requests }) => requests)).toStrictEqual([
      { [NO_CALL]: ours, [STATE]: ours, other, keystead: ours },
      { [NO_CALL]: other, [ENTROPY]: other, other },
      {},
    ]);
  });

  it('has short signatures again with a pause before each, and no large ones', () => {
    const labels = ['eth_signTransaction, own key', 'eth_signTypedData_v4 (1,000 items), own key', 'eth_sign, own key'];
    const rows = spacedRows(Object.fromEntries(labels.map((label) => [label, { other }])), extent);
    expect(rows.map(({ method, plan }) => [method, plan.pauseMs])).toStrictEqual([
      ['eth_signTransaction, own key, 25 ms apart', 25],
    ]);
  });

  it('ends with the accounts, of snaps that create some: first the list, then one more each time', () => {
    const rows = accountRows({ other }, extent);
    expect(rows.map(({ method, requests }) => [method, requests.other?.method])).toStrictEqual([
      ['keyring_listAccounts', 'keyring_listAccounts'],
      ['keyring_createAccount, own key', 'other'],
    ]);
  });
});

describe('snaps that answer in turn', () => {
  it('go on without one that stops, and hand over each different answer', async () => {
    const asked: string[] = [];
    const plan = { rounds: 3, batch: 2, seed: 1 };
    const { times, failed, answers } = await alternate({ one: 1, two: 2 }, plan, async (name, request) => {
      asked.push(name);
      await Promise.resolve();
      if (request === 2 && asked.filter((each) => each === 'two').length > 5) throw new Error('it stopped');
      return { name };
    });
    expect(times.one).toHaveLength(3);
    expect(times).not.toHaveProperty('two');
    expect(failed).toStrictEqual({ two: 'it stopped' });
    expect(asked.filter((each) => each === 'two')).toHaveLength(6);
    expect(asked.filter((each) => each === 'one')).toHaveLength(10);
    expect(answers.one).toStrictEqual(['{"name":"one"}']);
  });

  it("have a pause before each request, which counts as nobody's time", async () => {
    jest.useFakeTimers();
    const asked: number[] = [];
    const measuring = alternate({ one: 1 }, { rounds: 1, batch: 2, seed: 1, pauseMs: 1000 }, () =>
      Promise.resolve(asked.push(performance.now())),
    );
    await jest.advanceTimersByTimeAsync(10_000);
    const { times } = await measuring;
    jest.useRealTimers();
    expect(asked.map((at) => at - (asked[0] ?? 0))).toStrictEqual([0, 1000, 2000, 3000, 4000, 5000]);
    expect(times.one).toStrictEqual([0]);
  });

  it('take turns in another order in the next round, the same for the same seed', async () => {
    const orderOf = async (seed: number): Promise<string> => {
      const asked: string[] = [];
      await alternate({ a: 1, b: 2, c: 3 }, { rounds: 4, batch: 1, seed }, (name) => Promise.resolve(asked.push(name)));
      return asked.join('');
    };
    const order = await orderOf(9);
    expect(new Set(order.match(/.{3}/gu)).size).toBeGreaterThan(3);
    expect(await orderOf(9)).toBe(order);
  });
});

it('answers for the chain of a smart account that is not deployed yet', () => {
  expect(providerAnswer('eth_chainId', undefined)).toBe('0xaa36a7');
  expect(providerAnswer('eth_call', [{ data: '0xd087d288' }])).toBe(`0x${'0'.repeat(64)}`);
  expect(providerAnswer('eth_call', [{ input: '0x8cb84e18' }])).toMatch(/^0x0{24}[0-9a-f]{40}$/u);
  expect(providerAnswer('snap_getEntropy', {})).toBeUndefined();
});
