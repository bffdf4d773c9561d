import { maxUint256 } from 'viem';

import { knownChanges } from '../../../../src/core/decode/effects/changes';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { type Asset, type Changes } from '../../../../src/core/decode/effects/outcome';
import { beneficiariesIn, beneficiaryLines, isSumOf } from '../../../../src/core/decode/effects/recipients';
import { changeLines } from '../../../../src/core/decode/effects/rows';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, ME, USDC, VIEW, written } from '../../../support/explaining';

const NATIVE: Asset = { kind: 'native' };
const DOLLARS: Asset = { kind: 'erc20', token: USDC };
const UNKNOWN: Asset = { kind: 'erc20', token: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984' };
const ETHER = 10n ** 18n;
const addressOf = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`;

type Move = readonly [to: Hex, asset: Asset, amount: bigint];

/** What a screen says of the moves that the calls name, and of what a simulation found. */
function said(moves: readonly Move[], simulated?: Changes['sends']): string[] {
  const found = { sends: simulated ?? [], receives: [], allows: [], creates: [] };
  const view = { ...VIEW, ...(simulated && { outcome: { kind: 'changes', changes: found } as const }) };
  const scene = { view, chainId: 1n, findings: new Findings() };
  scene.findings.add(moves.map(([to, asset, amount]) => ({ kind: 'move', from: ME, to, asset, amount }) as const));
  const changes = knownChanges(scene);
  const all = beneficiariesIn(scene);
  return [...changeLines(changes, scene, isSumOf(all, scene)), ...beneficiaryLines(all, changes.sends, scene)].map(
    written,
  );
}

describe('what recipients are sent', () => {
  it('is not repeated if there is only one', () => {
    expect(
      said([
        [BOB, NATIVE, ETHER],
        [BOB, NATIVE, ETHER],
      ]),
    ).toEqual(['You send: 2 ETH', `To: ${BOB}`]);
    expect(said([])).toEqual([]);
  });

  it('is said of each, in the order of the request but dust last, however addresses are written', () => {
    const lowerCase = BOB.toLowerCase() as Hex;
    expect(
      said([
        [ALICE, NATIVE, 1n],
        [BOB, NATIVE, ETHER],
        [lowerCase, NATIVE, ETHER],
      ]),
    ).toEqual([
      'You send: 2.000000000000000001 ETH in all',
      `To: ${BOB}`,
      'Amount: 2 ETH',
      `To: ${ALICE}`,
      'Amount: 0.000000000000000001 ETH',
    ]);
  });

  it('is not made up for a token that may be a collection of NFTs', () => {
    expect(
      said([
        [ALICE, UNKNOWN, 5n],
        [BOB, UNKNOWN, 9n],
      ]).slice(-2),
    ).toEqual([`To: ${ALICE}`, `To: ${BOB}`]);
    expect(
      said([
        [ALICE, UNKNOWN, 5n],
        [BOB, UNKNOWN, 9n],
      ])[0],
    ).not.toContain('in all');
    const nft = (id: bigint): Asset => ({ kind: 'erc721', token: USDC, id }) as Asset;
    expect(
      said([
        [ALICE, nft(5n), 1n],
        [BOB, nft(9n), 1n],
      ]),
    ).toEqual([
      expect.stringMatching(/^You send: 1 NFT #5 of 0x/u),
      expect.stringMatching(/^You send: 1 NFT #9 of 0x/u),
      `To: ${ALICE}`,
      expect.stringMatching(/^Amount: 1 NFT #5 of 0x/u),
      `To: ${BOB}`,
      expect.stringMatching(/^Amount: 1 NFT #9 of 0x/u),
    ]);
  });

  it('includes what contracts send to others, as the simulation found', () => {
    const pulled = [{ asset: DOLLARS, amount: 1_002_000_000n }];
    expect(
      said(
        [
          [ALICE, DOLLARS, 1_000_000n],
          [BOB, DOLLARS, 1_000_000n],
        ],
        pulled,
      ),
    ).toEqual([
      'You send: 1002 USDC in all',
      `To: ${ALICE}`,
      'Amount: 1 USDC',
      `To: ${BOB}`,
      'Amount: 1 USDC',
      'To others, by the contracts: 1000 USDC',
    ]);
    expect(said([[ALICE, DOLLARS, 1_000_000n]], pulled)).toEqual([
      'You send: 1002 USDC in all',
      `To: ${ALICE}`,
      'Amount: 1 USDC',
      'To others, by the contracts: 1001 USDC',
    ]);
    // What is sent and comes back in the simulation is sent all the same.
    expect(
      said(
        [
          [ALICE, NATIVE, ETHER],
          [BOB, NATIVE, ETHER],
        ],
        [{ asset: NATIVE, amount: ETHER }],
      ).at(-1),
    ).toBe('Amount: 1 ETH');
    expect(said([[ALICE, NATIVE, ETHER]], pulled)).toEqual(['You send: 1 ETH', 'You send: 1002 USDC', `To: ${ALICE}`]);
  });

  it('is shown of everybody, dust last, so that nobody hides behind it', () => {
    const dust = Array.from({ length: 60 }, (_, n): Move => [addressOf(n + 0x1001), NATIVE, BigInt(n + 1)]);
    const lines = said([...dust, [BOB, NATIVE, 100n * ETHER]]);
    expect(lines.slice(1, 3)).toEqual([`To: ${BOB}`, 'Amount: 100 ETH']);
    expect(lines.filter((line) => line.startsWith('To: 0x'))).toHaveLength(61);
  });

  it('stays everything if everything is sent more than once', () => {
    const all = said([
      [ALICE, DOLLARS, maxUint256],
      [BOB, DOLLARS, maxUint256],
      [BOB, DOLLARS, 1n],
    ]);
    expect(all.filter((line) => line.startsWith('Amount'))).toEqual(['Amount: all USDC', 'Amount: all USDC']);
  });

  it('is limited to five assets for each recipient', () => {
    const ids = Array.from({ length: 30 }, (_, n): Move => [
      ALICE,
      { kind: 'erc721', token: USDC, id: BigInt(n) } as Asset,
      1n,
    ]);
    const lines = said([...ids, [BOB, NATIVE, 1n]]).filter((line) => !line.startsWith('You send'));
    expect(lines).toHaveLength(1 + 6 + 2);
    expect(lines).toContain('Amount: 25 more assets');
  });
});
