import { type AccountVersion } from './erc4337/entry-points';
import { type SmartAccountKind } from './erc4337/kind';
import { safe07 } from './safe';
import { simpleAccount06, simpleAccount07, simpleAccount08, simpleAccount09 } from './erc4337/simple-account';

/** The name of a kind of smart account, as it is stored. */
export type KindName =
  | 'simple-account-0.6'
  | 'simple-account-0.7'
  | 'simple-account-0.8'
  | 'simple-account-0.9'
  | 'safe-0.7';

/** The kinds of smart account. The names are stored and never change. */
export const KINDS: Readonly<Record<KindName, SmartAccountKind>> = {
  'simple-account-0.6': simpleAccount06,
  'simple-account-0.7': simpleAccount07,
  'simple-account-0.8': simpleAccount08,
  'simple-account-0.9': simpleAccount09,
  'safe-0.7': safe07,
};

export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** The default kind of a new account, by entry point version. */
export const KIND_OF_VERSION: Readonly<Record<AccountVersion, KindName>> = {
  '0.6': 'simple-account-0.6',
  '0.7': 'simple-account-0.7',
  '0.8': 'simple-account-0.8',
  '0.9': 'simple-account-0.9',
};
