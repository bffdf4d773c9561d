import { type Hex } from '../../eth/bytes';
import { type Asset } from './outcome';

/**
 * The source of an effect: `signed` by the account itself, or `claimed` by the calldata of a contract that nobody
 * vouches for. What a simulation finds is in `outcome.ts`.
 */
export type Known = 'signed' | 'claimed';

/** An asset moves. A party is undefined where it is not known. */
export type Move = {
  readonly kind: 'move';
  readonly from: Hex | undefined;
  readonly to: Hex | undefined;
  readonly asset: Asset;
  /** wei, the token's smallest unit, or the number of NFTs. */
  readonly amount: bigint;
  /** The number may be the ID of an NFT: ERC-721 has the same function. */
  readonly mayBeId?: true;
  /** The call or message itself names the owner. */
  readonly namesOwner?: boolean;
  /** A refund of fees, which the sender of the transaction can raise. */
  readonly isRefund?: true;
};

/** Somebody may use what the owner holds. An amount of zero takes the permission back. */
export type Allow = {
  readonly kind: 'allow';
  /** `amount` of a token, one `nft`, or `everything` in a contract. */
  readonly of: 'amount' | 'nft' | 'everything';
  readonly owner: Hex | undefined;
  readonly spender: Hex;
  /** Undefined if the message names no contract. */
  readonly token: Hex | undefined;
  /** The token's smallest unit; 1 or 0 for everything, and for an NFT that there is one of. */
  readonly amount: bigint;
  readonly id?: bigint;
  /** Seconds since 1970; undefined if it has no end. */
  readonly end?: bigint;
  /** The time at which the signature that gives it expires, where that is checked, in seconds since 1970. */
  readonly deadline?: bigint;
  /** It can be used once. */
  readonly once?: true;
  /** The spender may borrow, and the owner has to repay. */
  readonly isDebt?: true;
  readonly mayBeId?: true;
  /** The call or message itself names the owner. */
  readonly namesOwner?: true;
  /** The spender's role in words, where a standard has its own. */
  readonly role?: string;
};

/** Writes an address in a sentence: its name, or its ends. */
export type NameOf = (address: Hex) => string;

/** A deposit that pays for user operations is taken out. */
export type Withdrawal = {
  readonly kind: 'withdrawal';
  readonly contract: Hex;
  readonly to: Hex;
  readonly wei: bigint;
};

/** A step with which an account changes its own owners, its guardians at a module, or the module itself. */
export type Change = {
  /** The account, which makes the call. */
  readonly of: Hex;
  readonly module?: Hex;
  readonly added?: Hex;
  readonly removed?: Hex;
  /** How many owners must sign from then on, or how many guardians are enough. */
  readonly threshold?: bigint;
  /** The module may act for the account from then on, or no longer. */
  readonly turns?: 'on' | 'off';
};

/** Somebody controls an account or a contract from now on, or no longer. */
export type Control = {
  readonly kind: 'control';
  /** The address that gains something by it. */
  readonly by?: Hex | undefined;
  /** The rest of a sentence that begins with "This" and says what happens. */
  readonly does: (name: NameOf) => string;
  /** It is set up for the first time, so nobody loses control. */
  readonly isFirst?: true;
  /** Guardians give the account to new owners. */
  readonly isRecovery?: true;
  /** The step of a change that it is. Several steps have one outcome. */
  readonly change?: Change;
};

/** Something that one side of an order gives. An auction or a fee decides the amount, within these bounds. */
export type Term = {
  /** Undefined if Keystead cannot tell what it is. */
  readonly asset: Asset | undefined;
  readonly least: bigint;
  readonly most: bigint;
  /** An auction begins with the least and ends with the most; without it, the reverse. */
  readonly isRising?: boolean;
  /** Who gets it; undefined for the other side of the order. */
  readonly to?: Hex | undefined;
  /** The network on which it is paid, if that is another one. */
  readonly chainId?: bigint;
  /** The market takes fees from it that the order does not name. */
  readonly isBeforeFees?: true;
  /** What the message does not contain, and can change the amount. */
  readonly unless?: string | undefined;
};

/** An order: whoever takes it pays what the maker gets, and is given what the maker gives. */
export type Order = {
  readonly kind: 'order';
  /** Undefined if nothing says which side signs: then `gives` and `gets` are only the two sides. */
  readonly maker: Hex | undefined;
  /** The only one who may take it, if it names one. */
  readonly taker?: Hex | undefined;
  readonly gives: readonly Term[];
  readonly gets: readonly Term[];
  /** Seconds since 1970; undefined if it has no end, or names none. */
  readonly until?: bigint | undefined;
  /** Its form is only guessed from names. */
  readonly isGuess?: true;
};

/** A contract gets data. */
export type Called = {
  readonly kind: 'call';
  readonly from: Hex | undefined;
  readonly to: Hex;
  /** Keystead cannot read the data. */
  readonly isUnread?: true;
};

/** Coins become a token, or the reverse. */
export type Wrap = {
  readonly kind: 'wrap';
  readonly token: Hex;
  readonly amount: bigint;
  readonly isWrapping: boolean;
  /** The token is known to stand for the network's coin. Other contracts have functions of the same form. */
  readonly isKnown: boolean;
};

/** An address in a message or call whose meaning is known from a description only, or not at all. */
export type Named = { readonly kind: 'named'; readonly address: Hex; readonly isRecipient: boolean };

/** An authorization that makes an account run other code (EIP-7702); the zero address stands for none. */
export type Delegated = {
  readonly kind: 'delegation';
  readonly delegate: Hex;
  /** Undefined if the authorization is not signed yet. */
  readonly authority?: Hex;
  readonly chainId?: bigint;
  /** The nonce of an authorization that has no effect now. */
  readonly idleNonce?: bigint;
  /** Keystead itself asks for it. */
  readonly isOwn?: true;
};

/** Other things that the judge knows about a request. */
export type Fact =
  | { readonly kind: 'foreign-code'; readonly code: Hex | undefined }
  | { readonly kind: 'malformed'; readonly what: 'call' | 'safe-operation' | 'paymaster' }
  | { readonly kind: 'unread' }
  | { readonly kind: 'network'; readonly named: bigint; readonly ofRequest: bigint }
  | { readonly kind: 'opaque'; readonly what: 'hash' | 'typed-data' | 'transaction' | 'root' }
  | { readonly kind: 'own-contract' }
  | { readonly kind: 'operation'; readonly sender: Hex }
  | { readonly kind: 'sign-in'; readonly is: 'other-account' | 'expired' | 'early' }
  | { readonly kind: 'sign-in'; readonly is: 'malformed'; readonly fault: string }
  /** ERC-5573: the holder of a key, by its quoted URI, may act as the statement says. */
  | { readonly kind: 'sign-in'; readonly is: 'capability'; readonly of: string }
  | { readonly kind: 'sign-in'; readonly is: 'other-site'; readonly asking: string; readonly claimed: string }
  | { readonly kind: 'paymaster'; readonly paymaster: Hex }
  | { readonly kind: 'creation'; readonly value: bigint; readonly isEmpty: boolean }
  | {
      readonly kind: 'permission';
      readonly to: Hex | undefined;
      readonly what: 'amount' | 'unlimited' | 'all' | 'agent' | 'described';
    }
  | { readonly kind: 'limits-unread'; readonly by: Hex; readonly of: Hex; readonly count: number }
  | { readonly kind: 'fee'; readonly price: bigint; readonly suggested: bigint }
  /** Gas that is paid for whatever the operation uses. */
  | {
      readonly kind: 'overhead';
      readonly gas: bigint;
      /** What bundlers of a network without fees for data need for an operation of this size. */
      readonly usual: bigint;
      /** wei per gas. */
      readonly price: bigint;
    }
  | { readonly kind: 'failure'; readonly why: string }
  | { readonly kind: 'self-call' }
  /** An account cancels the recovery that has begun at a module. */
  | { readonly kind: 'cancel'; readonly of: Hex; readonly module: Hex }
  /** The signer of a passkey is created: its public key and its verifiers, in hex. */
  | { readonly kind: 'passkey'; readonly parts: readonly [x: Hex, y: Hex, verifiers: Hex] }
  /** A signature that moves something can be used until then: in seconds since 1970. */
  | { readonly kind: 'signature'; readonly end: bigint }
  /** A sentence about how something is written, which is no danger. */
  | { readonly kind: 'note'; readonly text: string };

/** One kind of effect. */
export type FactOf<Kind extends Effect['kind']> = Extract<Effect, { readonly kind: Kind }>;

/** Something that decoding finds. Rules return effects; only the judge decides what they mean. */
export type Effect = Move | Allow | Control | Withdrawal | Order | Called | Wrap | Named | Delegated | Fact;

/** An effect, how it is known, and the place of its call among all calls, in an order that texts have. */
export type FoundEffect = Effect & { readonly known: Known; readonly at: string };
