import {
  array,
  enums,
  type Infer,
  object,
  optional,
  pattern,
  refine,
  size,
  string,
  type Struct,
} from '@metamask/superstruct';

import { whole } from '../runtime/config';

/** What a key may do with stored files. */
export const STORAGE_ACTIONS = ['read', 'write', 'pin'] as const;
export type StorageAction = (typeof STORAGE_ACTIONS)[number];

/** Entries of one list: every request is compared with them. */
export const MAX_ENTRIES = 30;

const list = <Value>(entry: Struct<Value>): Struct<Value[]> => size(array(entry), 0, MAX_ENTRIES) as Struct<Value[]>;
const count = () => whole(1);

/** `null` is what pages without an origin send; `*.` before a host stands for every host below it. */
const ORIGIN =
  /^(?:null|(?:[a-z][a-z\d+.-]*:\/\/)?(?:\*\.)?(?:[a-z\d-]+(?:\.[a-z\d-]+)*|\[[\da-f:]+\])(?::\d{1,5})?)$/u;

/** The limits of a key, as they are stored. */
export const KeyLimitsStruct = object({
  methods: optional(list(pattern(string(), /^[A-Za-z]\w{0,127}$/u))),
  addresses: optional(list(pattern(string(), /^0x[0-9a-f]{40}$/u))),
  origins: optional(list(refine(pattern(string(), ORIGIN), 'origin', (text) => text.length <= 255))),
  networks: optional(list(pattern(string(), /^[a-z\d][a-z\d-]{0,63}$/u))),
  storage: optional(list(enums(STORAGE_ACTIONS))),
  requestsPerSecond: optional(count()),
  requestsPerDay: optional(count()),
  creditsPerSecond: optional(count()),
  pinnedBytes: optional(count()),
});

/**
 * What a key may do. One entry of a list is enough, and all lists must agree. A list that is absent allows everything,
 * an empty one nothing.
 */
export type KeyLimits = Infer<typeof KeyLimitsStruct>;
