import { type DelegateRepository } from './delegations/repository';
import { type Library } from '../explain/metadata/library';
import { type PreparedLedger } from '../network/prepared-operations';
import { type ChainRepository } from '../network/repository';
import { type ChainReader } from '../wallet/chain';
import { type Ask, type Consent } from '../wallet/dialogs';
import { type Entropy } from '../wallet/client';
import { type AccountEvents } from '../wallet/events';
import { type Mutex } from '../../core/mutex';
import { type RecipientRepository } from '../explain/recipients/repository';
import { type ShownInsightRepository } from '../explain/recipients/shown-insights';
import { type WatchedSafe } from './recoveries/look';
import { type RecoveryEntry } from './recoveries/repository';
import { type PreviewSources } from '../explain/preview';
import { type MessageRepository } from './signed/messages';
import { type SignedRepository } from './signed/repository';
import { type AccountRepository } from './repository';

/** The dependencies of account operations. A function that others call with less picks those it needs. */
export type AccountDeps = {
  readonly accounts: AccountRepository;
  /** Looks whether a recovery of a Safe has begun. */
  readonly recoveriesOf: (safe: Omit<WatchedSafe, 'chainIds'>) => Promise<readonly RecoveryEntry[]>;
  readonly entropy: Entropy;
  readonly events: AccountEvents;
  readonly consent: Consent;
  readonly ask: Ask;
  readonly chain: ChainReader;
  /** The configured networks. */
  readonly chains: ChainRepository;
  readonly prepared: PreparedLedger;
  /** The contracts that the user added to those that accounts may delegate to. */
  readonly delegates: DelegateRepository;
  /** The permissions of sites to use accounts. */
  readonly permissions: {
    readonly addAccount: (origin: string, id: string) => Promise<void>;
    readonly dropAccount: (id: string) => Promise<void>;
  };
  /** Looks up the metadata that explanations need. */
  readonly library: Library;
  /** The addresses to which each account has sent before. */
  readonly recipients: RecipientRepository;
  /** What MetaMask's own confirmations have shown. */
  readonly shown: ShownInsightRepository;
  /** What the accounts signed and others can use. */
  readonly signed: SignedRepository;
  /** The messages of Safes that wait for other owners. */
  readonly messages: MessageRepository;
  /** The sources of previews. */
  readonly sources: PreviewSources;
  /** @returns Seconds since 1970. */
  readonly now: () => bigint;
  /** Held while stored values are read and changed, never while waiting for the user or MetaMask. */
  readonly mutations: Mutex;
  /** Serializes creations, from finding the next account to MetaMask's response. Acquired before `mutations`. */
  readonly creations: Mutex;
  /** The deletions in progress, by account id. */
  readonly deleting: Map<string, Promise<void>>;
};

/** What a signature takes, from the explanation of the request to the record of what was signed. */
export type SigningDeps = Pick<
  AccountDeps,
  | 'accounts'
  | 'chains'
  | 'delegates'
  | 'entropy'
  | 'library'
  | 'messages'
  | 'now'
  | 'prepared'
  | 'recipients'
  | 'recoveriesOf'
  | 'shown'
  | 'signed'
  | 'sources'
>;

/** What the creation of an account takes, from the dialog to its announcement. */
export type CreationDeps = Pick<
  AccountDeps,
  'accounts' | 'ask' | 'chains' | 'consent' | 'creations' | 'deleting' | 'entropy' | 'events' | 'mutations'
>;
