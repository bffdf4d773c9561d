import { type AccountDeps } from '../accounts/deps';
import { type Ask } from '../platform/dialogs';
import { type StorageRepository } from './repository';

/** The dependencies of backup and restore. */
export type BackupDeps = AccountDeps & { readonly ask: Ask; readonly storage: StorageRepository };
