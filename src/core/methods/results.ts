import type { KeyringAccount } from '@metamask/keyring-api';

import { type CallsStatusCode, type Remark } from '../calls/progress';
import { type Hex } from '../eth/bytes';
import { type TypedData } from '../eth/typed-data';
import { type RecoveryNotice } from '../safe/recovery/notice';
import { type ChainName } from '../schemas/chain';
import { type Infer } from '../structs/struct';
import { type TypedDataStruct } from '../schemas/typed-data';
import { type UserOperationStruct } from '../schemas/user-operation';

/** Something that an account signed or sent: for which site, when and where. What it was about is not kept. */
export type Activity = {
  readonly account: string;
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** CAIP-2. */
  readonly chainId?: string;
  /** For a signature that a site was given: the method that it called, and the hash of what it can send. */
  readonly signed?: { readonly method: string; readonly hash?: Hex };
  /** For calls that Keystead sent: their status (EIP-5792), and under which hashes the network knows them. */
  readonly sent?: {
    readonly id: string;
    readonly calls: number;
    readonly status: CallsStatusCode;
    readonly remark?: Remark;
    /** The service did not respond when they were sent, so they may not have been. */
    readonly isUnclear: boolean;
    /** The network had them when it was asked last. */
    readonly isSeen?: true;
    /** The hashes under which it can be sped up or cancelled. */
    readonly replaceable?: readonly Hex[];
    /** Other owners of the account have to sign first. */
    readonly isWaiting?: true;
    readonly userOperation?: Hex;
    readonly transactions: readonly Hex[];
  };
};

/** The contract to which an externally owned account is delegated on a network (EIP-7702). */
export type Delegation = {
  readonly account: Hex;
  readonly chainId: ChainName;
  readonly delegate: Hex;
  /** Whether it is on the list or was added by the person, and has its code. */
  readonly isKnown: boolean;
};

/** A user operation that waits for the signatures of other owners. It has that of the account's own key. */
export type Proposed = {
  readonly id: string;
  readonly origin: string;
  readonly account: Hex;
  readonly chainId: ChainName;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly operation: Infer<typeof UserOperationStruct>;
};

/** A message that a site asked a Safe to sign, which other owners must sign, too. */
export type AskedMessage = {
  readonly account: Hex;
  readonly chainId: ChainName;
  /** The site that gets the signature, and nobody else. */
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What each owner signs: it binds the message to the account and the network. */
  readonly hash: Hex;
  readonly message?: Hex;
  readonly typedData?: Infer<typeof TypedDataStruct>;
  /** That of the account's own key. */
  readonly signature: Hex;
  /** The signature of the account; null if the person refused it; absent while signatures are missing. */
  readonly answer?: Hex | null;
};

/** What another owner of a Safe proposed: one of a message, typed data and a user operation. */
export type ForOwner = {
  /** The Safe itself, whose own key signs, or a standard account that is its owner. */
  readonly account: Hex;
  readonly safe: Hex;
  readonly chainId: ChainName;
  readonly message?: Hex;
  readonly typedData?: TypedData;
  /** The site that asks for the message, if that is known. */
  readonly origin?: string;
  readonly operation?: Infer<typeof UserOperationStruct>;
};

/** A module through which guardians can recover an account on a network, and the recovery that has begun there. */
export type WatchedModule = {
  readonly account: Hex;
  readonly chainId: ChainName;
  readonly module: Hex;
  readonly pending?: {
    /** The first of the new owners, and how many more there are. */
    readonly newOwners: readonly Hex[];
    readonly more: number;
    readonly newThreshold: Hex;
    /** Seconds since 1970, in hex. */
    readonly executeAfter: Hex;
  };
};

/** What else is to be said of an account on a network. */
export type AccountNotice = RecoveryNotice & { readonly account: Hex; readonly chainId: ChainName };

/** A Safe that a recovery has given to a key, on a network. */
export type RecoveredSafe = { readonly chainId: ChainName; readonly address: Hex };

/** The results of a search for such Safes. */
export type FoundRecovered = {
  readonly found: readonly RecoveredSafe[];
  /** The networks that were not searched, or not to the end. */
  readonly unsearched: readonly ChainName[];
};

/** What was backed up, and where it is. */
export type BackedUp = {
  /** Absent if only the file was asked for. */
  readonly cid?: string;
  /** The encrypted file in base64, if it was asked for. */
  readonly file?: string;
  /** Bytes. */
  readonly size: number;
  /** The number of accounts. */
  readonly accounts: number;
  /** Seconds since 1970. */
  readonly createdAt: number;
};

/** What a backup restored. */
export type Restored = {
  /** The accounts of the backup that MetaMask has now, including those that were here before. */
  readonly accounts: readonly KeyringAccount[];
  /** The number of networks of the backup that are set up now, including those that were before. */
  readonly chains: number;
  readonly skipped: readonly Skipped[];
};

/** Something in a backup that is not restored (an address, a chain or a position in the backup), and why. */
export type Skipped = { readonly what: string; readonly reason: string };

/** A token that a site had the snap watch (EIP-747). */
export type WatchedToken = {
  /** CAIP-2. */
  readonly chainId: string;
  readonly address: Hex;
  readonly symbol: string;
  readonly decimals: number;
};
