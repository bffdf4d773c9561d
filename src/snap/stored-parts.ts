import { array } from '../core/structs/struct';
import { ChainConfigurationStruct } from '../core/schemas/chain-configuration';
import { AddedDelegateStruct } from '../core/schemas/delegate';
import { StorageSettingsStruct } from '../core/schemas/storage-settings';
import { isSoundAccount, SettingsStruct } from './account/repository';
import { BatchStruct } from './send/batch';
import { ContactsStruct } from './account/contacts/repository';
import { PermissionStruct } from './sites/repository';
import { RecoveryEntriesStruct } from './account/recoveries/repository';
import { KeptStruct } from '../core/ledger/signed/kept';
import { AskedMessageStruct } from './account/signed/messages';
import { HistoryOrderStruct, isSoundHistory } from './explain/recipients/repository';
import { entries, type StoredParts, VersionStruct, whole } from './wallet/state';
import { WatchedTokensStruct } from './network/tokens/repository';

/** The parts of the state that must not be lost silently, with the check for each. */
const PARTS = {
  version: whole(VersionStruct),
  accounts: entries(isSoundAccount),
  settings: whole(SettingsStruct),
  chains: entries((chain) => ChainConfigurationStruct.is(chain)),
  delegates: whole(array(AddedDelegateStruct)),
  grants: entries((permission) => PermissionStruct.is(permission)),
  batches: whole(array(BatchStruct)),
  histories: entries(isSoundHistory),
  historyOrder: whole(HistoryOrderStruct),
  signed: whole(array(KeptStruct)),
  messages: whole(array(AskedMessageStruct)),
  tokens: whole(WatchedTokensStruct),
  contacts: whole(ContactsStruct),
  recoveries: whole(RecoveryEntriesStruct),
  storage: whole(StorageSettingsStruct),
};

/** The parts of the state that must not be lost silently, by name. */
export const STORED_PARTS: StoredParts = new Map(Object.entries(PARTS));

/** What a person calls the parts. */
const TITLES: Readonly<Record<string, string>> = {
  version: 'the version of the data',
  accounts: 'accounts',
  settings: 'settings',
  chains: 'networks',
  delegates: 'allowed upgrades',
  grants: 'connected sites',
  batches: 'sent calls',
  histories: 'earlier recipients',
  historyOrder: 'earlier recipients',
  signed: 'signatures that still count',
  messages: 'messages that wait for other owners',
  tokens: 'watched tokens',
  contacts: 'contacts',
  recoveries: 'recoveries of accounts',
  storage: 'the storage service',
} satisfies Record<keyof typeof PARTS, string>;

/** @returns What a screen calls parts of the state, each once. */
export const partTitles = (parts: readonly string[]): string[] => [
  ...new Set(parts.map((part) => TITLES[part] ?? part)),
];
