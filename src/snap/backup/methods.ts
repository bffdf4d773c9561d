import { type Json } from '@metamask/snaps-sdk';

import { backUp } from './back-up';
import { type BackupDeps } from './deps';
import { getStorage } from './get-storage';
import { restore } from './restore';
import { setStorage } from './set-storage';

export type BackupMethodName = 'keystead_setStorage' | 'keystead_getStorage' | 'keystead_backUp' | 'keystead_restore';

/** The methods for storage settings, backup and restore. A name without a handler does not compile. */
export const BACKUP_METHODS: Readonly<
  Record<BackupMethodName, (params: unknown, deps: BackupDeps) => Promise<unknown>>
> = {
  keystead_setStorage: setStorage,
  keystead_getStorage: getStorage,
  keystead_backUp: backUp,
  keystead_restore: restore,
};

/** @returns Whether the table has this method. Only own properties count. */
export const isBackupMethod = (name: string): name is BackupMethodName => Object.hasOwn(BACKUP_METHODS, name);

/** Runs a method for storage settings, backup or restore. */
export const answerBackupMethod = async (name: BackupMethodName, params: unknown, deps: BackupDeps): Promise<Json> =>
  (await BACKUP_METHODS[name](params, deps)) as Json;
