import type { KeyringAccount } from '@metamask/keyring-api';

import { type AccountVersion } from '../../core/erc4337/entry-points';
import { type Hex } from '../../core/eth/bytes';
import { type WatchedToken } from '../../core/methods/results';

/** An account with its name: the same as on Keystead's own screens. */
export type Account = KeyringAccount & { readonly name: string };
export type ChainId = `eip155:${string}`;

/** A chain as `keystead_getChains` returns it. */
export type Chain = {
  readonly chainId: ChainId;
  readonly name?: string;
  readonly symbol?: string;
  readonly explorerUrl?: string;
  readonly rpcUrl: string;
  /** Another node of the network, without which one that lies could reassure. */
  readonly secondRpcUrl?: string;
  /** The site that added the node, until the person vouches for it. */
  readonly nodeFrom?: string;
  readonly bundlerUrl?: string;
  readonly entryPoint?: Hex;
  readonly entryPointVersion?: AccountVersion;
  readonly paymasterUrl?: string;
};

/** The storage as `keystead_getStorage` returns it, without the secret. */
export type Storage = { readonly url: string; readonly key: string };
export type StorageSettings = Storage & { readonly secret: string };

/** The `devnet.json` that `npm start` serves. */
export type Devnet = {
  readonly snapId: string;
  readonly executorUrl: string;
  readonly chain: {
    readonly chainId: ChainId;
    readonly name: string;
    readonly rpcUrl: string;
    readonly bundlerUrl?: string;
    readonly paymasterUrl?: string;
  };
  readonly uncles?: { readonly rpcUrl: string; readonly example: { readonly block: string; readonly index: string } };
  readonly storage?: StorageSettings;
  /** The recovery module of the chain, which stands in for the real ones. */
  readonly recoveryModule?: {
    readonly name: string;
    readonly version: string;
    readonly address: Hex;
    readonly codeHash: Hex;
    /** Seconds. */
    readonly period: number;
    readonly signingVersion: string;
  };
  /** Addresses to try sending to. */
  readonly recipients?: readonly { readonly name: string; readonly address: Hex }[];
};

/** The data of the snap that the page shows. */
export type SnapData = {
  readonly accounts: readonly KeyringAccount[];
  /** The ids of the accounts that the wallet never confirmed, so that it may lack them. */
  readonly unannounced: readonly string[];
  readonly chains: readonly Chain[];
  /** null if there is none yet. */
  readonly storage: Storage | null;
  /** The tokens that sites had the snap watch (EIP-747). */
  readonly tokens: readonly WatchedToken[];
};
