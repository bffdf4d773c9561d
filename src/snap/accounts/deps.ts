import { type PreparedLedger } from '../networks/prepared-operations';
import { type ChainRepository } from '../networks/repository';
import { type GrantRepository } from '../permissions/repository';
import { type ChainReader } from '../platform/chain';
import { type Consent } from '../platform/dialogs';
import { type Entropy } from '../platform/entropy';
import { type AccountEvents } from '../platform/events';
import { type Library } from '../contract-metadata/library';
import { type Mutex } from '../storage/mutex';
import { type AccountRepository } from './repository';

/** What the keyring's operations work with. `context.ts` makes it. */
export type KeyringDeps = {
  readonly accounts: AccountRepository;
  readonly entropy: Entropy;
  readonly events: AccountEvents;
  readonly consent: Consent;
  readonly chain: ChainReader;
  /** The chains that were set up for smart accounts. */
  readonly chains: ChainRepository;
  readonly prepared: PreparedLedger;
  /** Which sites may use which accounts. */
  readonly grants: GrantRepository;
  /** What explanations look up. */
  readonly library: Library;
  /** @returns Seconds since 1970. */
  readonly now: () => bigint;
  /** Every change of what is stored holds it, and only while it reads and writes: never while someone is asked. */
  readonly mutations: Mutex;
  /** One creation at a time, from finding the next account to the wallet's answer. Taken before `mutations`. */
  readonly creations: Mutex;
  /** The deletions that are under way, by account. */
  readonly deleting: Map<string, Promise<void>>;
};

/** The same, for one caller. */
export type CallerDeps = KeyringDeps & {
  /** Who asks: `metamask`, or the origin of a page. */
  readonly origin: string;
  /**
   * The caller is a dapp at our own door. Nobody has asked the person yet, so every signature asks; and the
   * origin, which MetaMask does not tell, is held against what is signed.
   */
  readonly isDapp?: boolean;
  /** What the account has to pay with, wei, where the caller knows it. */
  readonly balance?: bigint | undefined;
};
