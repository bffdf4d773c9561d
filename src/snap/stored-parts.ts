import { array } from '../core/schemas/struct';
import { ChainConfigurationStruct } from '../core/schemas/chain-configuration';
import { AddedDelegateStruct } from '../core/schemas/delegate';
import { StorageSettingsStruct } from '../core/schemas/storage-settings';
import { isSoundAccount, SettingsStruct } from './accounts/repository';
import { BatchStruct } from './batches/batch';
import { PermissionStruct } from './permissions/repository';
import { RecoveryEntriesStruct } from './recoveries/repository';
import { HistoryOrderStruct, isSoundHistory } from './recipients/repository';
import { entries, type StoredParts, whole } from './storage/damage';
import { VersionStruct } from './storage/versioned-state';
import { WatchedTokensStruct } from './tokens/repository';

/** The parts of the state that must not be lost silently, with the check for each. */
export const STORED_PARTS: StoredParts = new Map([
  ['version', whole(VersionStruct)],
  ['accounts', entries(isSoundAccount)],
  ['settings', whole(SettingsStruct)],
  ['chains', entries((chain) => ChainConfigurationStruct.is(chain))],
  ['delegates', whole(array(AddedDelegateStruct))],
  ['grants', entries((permission) => PermissionStruct.is(permission))],
  ['batches', whole(array(BatchStruct))],
  ['histories', entries(isSoundHistory)],
  ['historyOrder', whole(HistoryOrderStruct)],
  ['tokens', whole(WatchedTokensStruct)],
  ['recoveries', whole(RecoveryEntriesStruct)],
  ['storage', whole(StorageSettingsStruct)],
]);
