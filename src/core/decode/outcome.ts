import { type Hex } from '../eth/bytes';

/**
 * A call to simulate. A creation has no recipient.
 *
 * @example
 * ```ts
 * const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const call: SimulatedCall = { from, to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 18n, data: '0x' };
 * ```
 */
export type SimulatedCall = {
  readonly from: Hex;
  readonly to: Hex | null;
  /** wei. */
  readonly value: bigint;
  readonly data: Hex;
};

/**
 * What to simulate: calls on one network, in order, and the account whose assets are watched.
 *
 * @example
 * ```ts
 * const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const simulation: Simulation = { chainId: 1n, account, calls: [{ from: account, to: null, value: 0n, data: '0x6001' }] };
 * ```
 */
export type Simulation = {
  readonly chainId: bigint;
  readonly account: Hex;
  readonly calls: readonly SimulatedCall[];
  /** The accounts that run the code of a delegate while the calls are made (EIP-7702); the zero address stands for none. */
  readonly delegations?: readonly { readonly authority: Hex; readonly address: Hex }[] | undefined;
};

/**
 * What a token contract says of itself. Anyone can deploy a token with any symbol.
 *
 * @example
 * ```ts
 * const declared: DeclaredToken = { symbol: 'TEST', decimals: 18 };
 * ```
 */
export type DeclaredToken = { readonly symbol: string; readonly decimals: number };

/**
 * Something that an account can hold.
 *
 * @example
 * ```ts
 * const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
 * const asset: Asset = { kind: 'erc20', token, declared: { symbol: 'USDC', decimals: 6 } };
 * ```
 */
export type Asset =
  | { readonly kind: 'native' }
  | { readonly kind: 'erc20'; readonly token: Hex; readonly declared?: DeclaredToken }
  | {
      readonly kind: 'erc721' | 'erc1155';
      readonly token: Hex;
      readonly id: bigint;
      /** The collection's own name. */
      readonly declared?: { readonly name: string };
    };

/**
 * An asset and how much of it: wei, the token's smallest unit, or the number of NFTs. Always positive.
 *
 * @example
 * ```ts
 * const amount: AssetAmount = { asset: { kind: 'native' }, amount: 10n ** 18n };
 * ```
 */
export type AssetAmount = { readonly asset: Asset; readonly amount: bigint };

/**
 * A permission that somebody has afterwards: to spend an amount of a token, to move one NFT, or to move everything that
 * the account holds in a contract.
 *
 * @example
 * ```ts
 * const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
 * const spender = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
 * const allowance: Allowance = { kind: 'amount', token, spender, amount: 250_000_000n };
 * ```
 */
export type Allowance =
  | {
      readonly kind: 'amount';
      readonly token: Hex;
      readonly spender: Hex;
      readonly amount: bigint;
      readonly declared?: DeclaredToken;
    }
  | { readonly kind: 'nft'; readonly token: Hex; readonly spender: Hex; readonly id: bigint }
  | { readonly kind: 'everything'; readonly token: Hex; readonly spender: Hex };

/**
 * The net changes of one account, without network fees.
 *
 * @example
 * ```ts
 * const changes: Changes = { sends: [], receives: [], allows: [], creates: [] };
 * ```
 */
export type Changes = {
  readonly sends: readonly AssetAmount[];
  readonly receives: readonly AssetAmount[];
  readonly allows: readonly Allowance[];
  /** The contracts that are created. */
  readonly creates: readonly Hex[];
};

/**
 * The result of a simulation. It says what would happen in the network's present state, which may differ by then.
 *
 * - `changes`: it succeeds, with these changes.
 * - `reverts`: it fails, with the reason in words.
 * - `succeeds`: it succeeds, but the node cannot tell what changes.
 * - `unknown`: it could not be simulated, and why.
 *
 * @example
 * ```ts
 * const outcome: Outcome = { kind: 'reverts', reason: 'ERC20: transfer amount exceeds balance' };
 * ```
 */
export type Outcome =
  | { readonly kind: 'changes'; readonly changes: Changes }
  | { readonly kind: 'reverts'; readonly reason: string }
  | { readonly kind: 'succeeds' }
  | { readonly kind: 'unknown'; readonly why: string };
