import { type AddAccountDeps } from '../accounts/deps';
import { type Ask, type Consent } from '../platform/dialogs';
import { type Mutex } from '../../core/mutex';
import { type StorageRepository } from './repository';

/** The dependencies of the storage settings methods. */
export type StorageDeps = {
  readonly storage: StorageRepository;
  readonly consent: Consent;
  /** Held while stored values are read and changed. */
  readonly mutations: Mutex;
  /** The origin of the request: `metamask`, or the origin of a page. */
  readonly origin: string;
};

/** The dependencies of backup and restore. */
export type BackupDeps = AddAccountDeps & StorageDeps & { readonly ask: Ask; readonly now: () => bigint };
