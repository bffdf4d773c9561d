import { type Json } from '@metamask/snaps-sdk';

import { type Manifest } from './snap-files';
import { type SimulatedWallet } from './wallet';

/** The questions that the wallet asks for a web page. */
export type WalletScreens = {
  readonly installSnap: (origin: string, snapId: string, manifest: Manifest) => Promise<boolean>;
  /** @param accounts - By address, each with its name. */
  readonly chooseAccounts: (
    origin: string,
    accounts: ReadonlyMap<string, string>,
  ) => Promise<readonly string[] | undefined>;
  readonly addNetwork: (origin: string, name: string, rpcUrl: string) => Promise<boolean>;
  /** @param lines - What is to be signed or sent, as labels and values. */
  readonly confirm: (title: string, origin: string, lines: readonly (readonly [string, string])[]) => Promise<boolean>;
};

/** The caller of the wallet: a page, with the wallet and its screens. */
export type Caller = { readonly wallet: SimulatedWallet; readonly screens: WalletScreens; readonly origin: string };
/** A method of the wallet. */
export type WalletMethod = (params: Json | undefined, caller: Caller) => Promise<Json>;
