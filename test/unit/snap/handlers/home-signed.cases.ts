import { type Kept, withKept } from '../../../../src/core/ledger/signed/kept';
import { homeSigned } from '../../../../src/snap/handlers/home-signed';

const NOW = 1_800_000_000n;
const hashOf = (number: number): Kept['hash'] => `0x${number.toString(16).padStart(64, '0')}`;
const kept = (number: number, origin: string, more: Partial<Kept> = {}): Kept => ({
  account: `0x${'a1'.repeat(20)}`,
  origin,
  at: number,
  hash: hashOf(number),
  title: `Permit ${number}`,
  ...more,
});
const shown = (all: readonly Kept[]) => homeSigned(all, { names: {}, networks: {} }, NOW).open.map((one) => one.kept);

describe('signatures on the home page', () => {
  const unlimited = kept(1, 'https://bank.example', { isDangerous: true });

  it.each([{}, { isDangerous: true }])(
    'keep an unlimited one in sight while a page has 300 others shown (%j)',
    (more) => {
      let all: Kept[] = [unlimited];
      for (let at = 2; at < 302; at++) all = withKept(all, kept(at, 'https://drainer.example', more), NOW);
      expect(all.length).toBeLessThanOrEqual(200);
      expect(shown(all).slice(0, 2)).toContainEqual(expect.objectContaining({ hash: unlimited.hash }));
      expect(homeSigned(all, { names: {}, networks: {} }, NOW).dropped).toBe(101);
    },
  );

  it('are counted as dropped, even if the one that they were dropped for is shown again', () => {
    let all: Kept[] = [];
    for (let at = 0; at < 250; at++) all = withKept(all, kept(at, 'https://drainer.example'), NOW);
    const [last] = all;
    const before = homeSigned(all, { names: {}, networks: {} }, NOW).dropped;
    expect(before).toBe(50);
    all = withKept(all, kept(249, last!.origin), NOW);
    expect(homeSigned(all, { names: {}, networks: {} }, NOW).dropped).toBe(before);
  });

  it('are in order: dangerous ones first, each site in its turn, the last one of each first', () => {
    const all = [
      kept(1, 'https://a.example'),
      kept(2, 'https://b.example', { isDangerous: true }),
      kept(3, 'https://a.example', { isDangerous: true }),
      kept(4, 'https://a.example', { isDangerous: true }),
      kept(5, 'https://a.example'),
    ];
    expect(shown(all).map(({ at }) => at)).toEqual([4, 2, 3, 5, 1]);
  });

  it('are not listed when they expired or a node calls them used, and the node is named', () => {
    const all = [kept(1, 'a', { until: Number(NOW) - 1 }), kept(2, 'a', { goneAt: 'the node of your wallet' })];
    const { open, gone, nodes } = homeSigned(all, { names: {}, networks: {} }, NOW);
    expect([open, gone, nodes]).toEqual([[], 1, ['the node of your wallet']]);
  });
});
