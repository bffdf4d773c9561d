import { type Library } from '../contract-metadata/library';
import { type PreparedLedger } from '../networks/prepared-operations';
import { type ChainRepository } from '../networks/repository';
import { type ChainReader } from '../platform/chain';
import { type Consent } from '../platform/dialogs';
import { type Entropy } from '../platform/entropy';
import { type AccountEvents } from '../platform/events';
import { type Mutex } from '../platform/mutex';
import { type AccountRepository } from './repository';

/** What operations on accounts work with. Each takes only what it names. */
export type AccountDeps = {
  readonly accounts: AccountRepository;
  readonly entropy: Entropy;
  readonly events: AccountEvents;
  readonly consent: Consent;
  readonly chain: ChainReader;
  /** The chains that were set up for smart accounts. */
  readonly chains: ChainRepository;
  readonly prepared: PreparedLedger;
  /** The sites' permissions to use accounts. */
  readonly permissions: { readonly dropAccount: (id: string) => Promise<void> };
  /** Looks up what explanations name. */
  readonly library: Library;
  /** @returns Seconds since 1970. */
  readonly now: () => bigint;
  /** Held while stored values are read and changed, never while the person or the wallet is asked. */
  readonly mutations: Mutex;
  /** One creation at a time, from finding the next account to the wallet's answer. Taken before `mutations`. */
  readonly creations: Mutex;
  /** The deletions that are under way, by account. */
  readonly deleting: Map<string, Promise<void>>;
  /** Who asks: `metamask`, or the origin of a page. */
  readonly origin: string;
};

/** What adding an account works with. */
export type AddAccountDeps = Pick<
  AccountDeps,
  'accounts' | 'chains' | 'consent' | 'creations' | 'deleting' | 'entropy' | 'events' | 'mutations' | 'origin'
>;
