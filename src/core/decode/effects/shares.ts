import { type Hex } from '../../eth/bytes';
import { counted, MAX_UINT256 } from '../../eth/units';
import { assetText } from './rows';
import { keyOfAsset, type Met } from './effect';
import { address, leftOut, text } from '../words/lines';
import { type AssetAmount, type Changes } from './outcome';
import { knownName } from '../words/sentences';
import { declaredTokenAt, tokenAt, type TokenScene } from '../metadata/tokens';
import { type Line, type Viewpoint } from '../explanation';

/** A screen shows no more recipients with what they are sent. The others are added up. */
const MAX_RECEIVERS = 5;
/** A screen shows no more assets for one recipient. */
const MAX_ASSETS = 5;

/** Parts of a share, to compare shares of different assets as whole numbers. */
const PARTS = 1_000_000n;

/** An address in full, with its name if it has one. */
export const namedAddress = (label: string, at: Hex, view: Viewpoint): Line => {
  const name = knownName(at, view);
  return address(name === undefined ? label : `${label} (${name})`, at);
};

/** The largest amount means everything, and stays so. */
const plus = (a: bigint, b: bigint): bigint => (a + b < MAX_UINT256 ? a + b : MAX_UINT256);

/** Adds up what is sent, asset by asset. */
function sumsOf(sent: readonly AssetAmount[]): ReadonlyMap<string, AssetAmount> {
  const sums = new Map<string, AssetAmount>();
  for (const { asset, amount } of sent) {
    const key = keyOfAsset(asset);
    sums.set(key, { asset, amount: plus(sums.get(key)?.amount ?? 0n, amount) });
  }
  return sums;
}

/**
 * Who is sent something, and what each of several recipients is sent, by what the calls say. Amounts of a token whose decimals are not known are
 * left out, because they may be IDs of NFTs.
 */
export class Shares {
  /** Each recipient once; whoever gets the largest share of an asset comes first. */
  readonly #receivers: readonly Hex[];
  readonly #changes: Changes;
  readonly #scene: TokenScene;
  readonly #sent: readonly Required<Met>[];
  /** What the calls say that is sent, by asset. */
  readonly #sums: ReadonlyMap<string, AssetAmount>;

  constructor(changes: Changes, scene: TokenScene) {
    this.#changes = changes;
    this.#scene = scene;
    this.#sent = scene.findings.effects.met.filter((one): one is Required<Met> => one.sent !== undefined);
    this.#sums = sumsOf(this.#sent.map(({ sent }) => sent));
    const shares = new Map<string, { readonly at: Hex; readonly share: bigint }>();
    for (const { address: at, sent } of this.#sent) {
      const key = at.toLowerCase();
      const share = (sent.amount * PARTS) / (this.#sums.get(keyOfAsset(sent.asset))?.amount ?? sent.amount);
      const before = shares.get(key);
      shares.set(key, {
        at: before?.at ?? at,
        share: before !== undefined && before.share > share ? before.share : share,
      });
    }
    this.#receivers = [...shares.values()].sort((a, b) => Number(b.share - a.share)).map(({ at }) => at);
  }

  /** Whether amounts of an asset can be told apart from IDs, and so be added up. */
  #isCountable({ asset }: AssetAmount): boolean {
    if (asset.kind !== 'erc20') return true;
    return tokenAt(asset.token, this.#scene) !== undefined || declaredTokenAt(asset.token, this.#scene) !== undefined;
  }

  /** Whether what the account sends of an asset goes to several recipients. */
  isSum(sent: AssetAmount): boolean {
    const key = keyOfAsset(sent.asset);
    const said = this.#sums.get(key);
    if (said === undefined || !this.#isCountable(sent)) return false;
    return sent.amount > said.amount || this.#sent.filter((one) => keyOfAsset(one.sent.asset) === key).length > 1;
  }

  #amountLines(receivers: readonly Hex[]): Line[] {
    const keys = new Set(receivers.map((at) => at.toLowerCase()));
    const sent = this.#sent.filter((one) => keys.has(one.address.toLowerCase())).map((one) => one.sent);
    const amounts = [...sumsOf(sent).values()].filter((amount) => this.#isCountable(amount));
    return [
      ...amounts.slice(0, MAX_ASSETS).map((amount) => text('Amount', assetText(amount, this.#scene))),
      ...leftOut(amounts.length - MAX_ASSETS, 'asset', 'Amount'),
    ];
  }

  /** What a simulation found to be sent besides, to recipients that the calls do not name. */
  #otherLines(): Line[] {
    return this.#changes.sends.flatMap(({ asset, amount }) => {
      const said = this.#sums.get(keyOfAsset(asset));
      if (said === undefined || said.amount >= amount || !this.#isCountable(said)) return [];
      return text('To others, by the contracts', assetText({ asset, amount: amount - said.amount }, this.#scene));
    });
  }

  /** @returns Each recipient, and, if there are several, what each is sent; then the others together. */
  lines(): Line[] {
    const [shown, others] = [this.#receivers.slice(0, MAX_RECEIVERS), this.#receivers.slice(MAX_RECEIVERS)];
    const besides = this.#otherLines();
    if (this.#receivers.length < 2 && besides.length === 0)
      return shown.map((at) => namedAddress('To', at, this.#scene.view));
    return [
      ...shown.flatMap((at) => [namedAddress('To', at, this.#scene.view), ...this.#amountLines([at])]),
      ...(others.length === 0
        ? []
        : [
            text('To', `${counted(others.length, 'more address', 'more addresses')}, together`),
            ...this.#amountLines(others),
          ]),
      ...besides,
    ];
  }
}
