import { type AccountDeps } from '../accounts/deps';
import { type StorageRepository } from './repository';

/** The dependencies of backup and restore. */
export type BackupDeps = AccountDeps & { readonly storage: StorageRepository };
