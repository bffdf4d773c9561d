import { alternate } from '../../../bench/snap/alternate';
import { accountRows, signatureRows } from '../../../bench/snap/rows';
import { latencyTable, sizeTable, startTable } from '../../../bench/snap/tables';

const median = (value: number) => ({ median: value, low: value, high: value, count: 1 });
const size = (raw: number) => ({ raw, gzip: raw / 2, files: 0 });
const [NO_CALL, STATE, ENTROPY] = ['empty snap', 'empty snap, one call: state', 'empty snap, one call: entropy'];

describe('the tables of the built snaps', () => {
  it('have the ratio of each request over both floors, and say where a snap failed', () => {
    const names = [NO_CALL, STATE, ENTROPY, 'keystead', 'other'] as string[];
    const times = {
      'personal_sign, imported key': { [NO_CALL]: median(1), [STATE]: median(2), keystead: median(3) },
      'personal_sign, own key': { [NO_CALL]: median(1), [ENTROPY]: median(5), keystead: median(6) },
    };
    const failures = { other: { 'personal_sign, imported key': 'no' }, keystead: { eth_sign: 'no' } };
    const { columns, rows } = latencyTable('title', names, times, failures);
    expect(columns.slice(-2)).toStrictEqual(['keystead / empty snap', 'keystead / the one-call floor']);
    const one = (value: string) => `${value} (${value}–${value})`;
    expect(rows).toStrictEqual([
      ['personal_sign, imported key', one('1.0'), one('2.0'), '–', one('3.0'), 'failed', '3.00', '1.50'],
      ['personal_sign, own key', one('1.0'), '–', one('5.0'), one('6.0'), '–', '6.00', '1.20'],
      ['eth_sign', '–', '–', '–', 'failed', '–', '–', '–'],
    ]);
  });

  it('have the size of each bundle', () => {
    const sizes = { keystead: size(300), other: { ...size(200), files: 10 } };
    expect(sizeTable('title', ['keystead', 'other'], sizes).rows).toStrictEqual([
      ['keystead', '300', '150', '0'],
      ['other', '200', '100', '10'],
    ]);
  });

  it('have the ratio of each start over both floors', () => {
    const boots = { [NO_CALL]: [100], [STATE]: [110], keystead: [132] };
    const { columns, rows } = startTable('title', Object.keys(boots), boots);
    const ours = Object.fromEntries(columns.map((column, at) => [column, rows[2]?.[at]]));
    expect(ours).toMatchObject({
      'boot to first answer, ms': '132 (132–132)',
      'boot / empty snap': '1.32',
      'boot / empty snap, one call: state': '1.20',
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
