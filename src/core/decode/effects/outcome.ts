import { type SignedAuthorization } from '../../eth/authorization';
import { type Hex } from '../../eth/bytes';
import { type AccessList } from '../../eth/transaction';

/** The gas that a call may use, and what is paid for it, in wei per gas. What the request does not say is absent. */
export type CallGas = {
  readonly limit?: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
};

/**
 * A call to simulate. A creation has no recipient. Contracts can tell by gas, fees, nonce and access list whether a
 * call is the one that is signed, so they are those of the request; what it does not say is absent.
 */
export type SimulatedCall = {
  readonly from: Hex;
  readonly to: Hex | null;
  /** wei. */
  readonly value: bigint;
  readonly data: Hex;
  readonly gas?: CallGas;
  readonly nonce?: bigint;
  readonly accessList?: AccessList;
  /** Signed by the accounts that run other code from then on (EIP-7702). */
  readonly authorizationList?: readonly SignedAuthorization[];
};

/** A request for a simulation: calls on one network, in order, and the account whose assets are watched. */
export type Simulation = {
  readonly chainId: bigint;
  readonly account: Hex;
  readonly calls: readonly SimulatedCall[];
  /**
   * The accounts that run the code of a delegate while the calls are made (EIP-7702); the zero address stands for none.
   */
  readonly delegations?: readonly { readonly authority: Hex; readonly address: Hex }[] | undefined;
};

/** The facts that a token contract states about itself. Anyone can deploy a token with any symbol. */
export type DeclaredToken = {
  readonly symbol: string;
  readonly decimals: number;
  /** The total supply in the smallest unit, where it was asked for. Nobody can spend more than exists. */
  readonly supply?: bigint;
};

/** The statement of an asset's contract about itself: it is a token, or a collection of NFTs (ERC-721). */
export type DeclaredAsset = DeclaredToken | 'erc721';

/** Something that an account can hold. */
export type Asset =
  | { readonly kind: 'native' }
  | { readonly kind: 'erc20'; readonly token: Hex; readonly declared?: DeclaredToken }
  | {
      readonly kind: 'erc721' | 'erc1155';
      readonly token: Hex;
      readonly id: bigint;
      /** Any one of the collection, or of a list that the order does not show. */
      readonly isAny?: true;
      /** The collection's own name. */
      readonly declared?: { readonly name: string };
    };

/** An asset and how much of it: wei, the token's smallest unit, or the number of NFTs. Always positive. */
export type AssetAmount = {
  readonly asset: Asset;
  readonly amount: bigint;
  /** Nothing of it is left to the account afterwards. */
  readonly isAll?: boolean;
  /** It did not exist before. */
  readonly isNew?: boolean;
};

/**
 * A permission that somebody has afterwards: to spend an amount of a token, to move one NFT, or to move everything that
 * the account holds in a contract.
 */
export type Allowance =
  | {
      readonly kind: 'amount';
      readonly token: Hex;
      readonly spender: Hex;
      readonly amount: bigint;
      readonly declared?: DeclaredToken;
      /** The spender may borrow, and the account has to repay. */
      readonly isDebt?: true;
    }
  | {
      readonly kind: 'nft';
      readonly token: Hex;
      readonly spender: Hex;
      readonly id: bigint;
      /** How many with this ID (ERC-6909). Default: 1. */
      readonly amount?: bigint;
    }
  | { readonly kind: 'everything'; readonly token: Hex; readonly spender: Hex };

/** The net changes of one account, without network fees. */
export type Changes = {
  readonly sends: readonly AssetAmount[];
  readonly receives: readonly AssetAmount[];
  readonly allows: readonly Allowance[];
  /** The contracts that are created. */
  readonly creates: readonly Hex[];
  /** A preview reads no more: there are further `losses`, which may be permissions, or only further `receipts`. */
  readonly unread?: 'losses' | 'receipts';
};

/**
 * The result of a simulation. It says what would happen in the network's present state, which may differ by then.
 *
 * - `changes`: it succeeds, with these changes.
 * - `reverts`: it fails, with the reason in words.
 * - `succeeds`: it succeeds, but the node cannot tell what changes.
 * - `unknown`: it could not be simulated, and why.
 */
export type Outcome =
  | { readonly kind: 'changes'; readonly changes: Changes }
  | { readonly kind: 'reverts'; readonly reason: string }
  | { readonly kind: 'succeeds' }
  | { readonly kind: 'unknown'; readonly why: string };
