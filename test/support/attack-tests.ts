/**
 * The test that tries each attack of docs/attacks.md again: its file below test/service, and its name. The page names
 * the file only.
 */
export const ATTACK_TESTS: readonly (readonly [attack: string, file: string, name: string])[] = [
  [
    'tens of thousands of pins with long names',
    'storage/hostile/shares.cases.ts',
    'pins of a key, and the bytes of their names, are so many',
  ],
  [
    'lists of all pins, held in memory',
    'storage/store/pins.cases.ts',
    'many pins are listed page by page, and others have their turn before each',
  ],
  [
    '`HEAD` of large blocks with slow hashes at the gateway',
    'storage/hostile/unread.cases.ts',
    'of a block that the gateway is asked for with HEAD',
  ],
  [
    'CAR files of tiny records',
    'storage/content/turns.cases.ts',
    'before each record of a CAR file, however many are in one piece',
  ],
  [
    'WebSocket messages that are not finished',
    'hostile/sockets.cases.ts',
    'counts as memory of its key from its first byte, on all connections together',
  ],
  [
    'fragments with pongs between them, for ever',
    'hostile/sockets.cases.ts',
    'is closed after the time of a request, although its client answers pings',
  ],
  [
    'thousands of folders to sync at once',
    'storage/store/shared-sync.cases.ts',
    'however many folders have changed, a few dozen are open at once',
  ],
  [
    'a sync that fails poisons the next',
    'storage/store/shared-sync.cases.ts',
    'a sync that fails is not the end: only what failed is tried again, and others are not refused for it',
  ],
  [
    'more connections than the process has descriptors for',
    'admission/descriptors.cases.ts',
    'all listeners together leave a reserve of %i',
  ],
  [
    'a list of a bucket that was cut behind an entry',
    'storage/store/bucket.cases.ts',
    'a page that was cut behind an entry',
  ],
  ['DAG-CBOR that is stored as other bytes', 'storage/content/cbor.cases.ts', 'text that is not UTF-8'],
  ['integers below -2^63', 'storage/content/cbor.cases.ts', 'an integer below -2^63 is refused: %s'],
  [
    'a disk that is full',
    'storage/hostile/shares.cases.ts',
    'a disk on which nothing can be written is a problem, until it can',
  ],
  [
    'a storage that cannot work beside a chain that can',
    'chain/operations.cases.ts',
    'each part is asked alone, and is not ready before it has started',
  ],
  [
    'metrics through a proxy on the same machine',
    'hostile/origins.cases.ts',
    'metrics are on no public listener, also behind a proxy on the same machine',
  ],
  [
    'a CID with a digest that no hash makes',
    'storage/hostile/long-cids.cases.ts',
    'with a digest that no hash function makes, are of no block',
  ],
  [
    'a queue of requests for metrics',
    'chain/operations.cases.ts',
    'one scrape is made for everyone who asks meanwhile',
  ],
  [
    'an archive whose names differ by an ignorable letter beside a symbolic link',
    'storage/api/bad-input.cases.ts',
    'an archive in which an entry follows a symbolic link of the same name',
  ],
  ['nested JSON', 'hostile/nesting.cases.ts', '%s: is refused before it is parsed, at the price of an invalid request'],
  ['flat array', 'hostile/nesting.cases.ts', '%s: is refused before it is parsed, at the price of an invalid request'],
  ['huge batches', 'hostile/limits.cases.ts', 'counts each item of a batch'],
  ['look-ups', 'hostile/limits.cases.ts', 'is refused with 429, Retry-After and the limit, and is free'],
  ['slow bodies', 'hostile/http.cases.ts', '%s: 408, and the connection is closed'],
  ['endless sockets', 'hostile/limits.cases.ts', 'a new connection replaces the one that has been idle the longest'],
  ['WebSocket frames', 'hostile/sockets.cases.ts', 'frames that arrive in one chunk are queued'],
  [
    'endless preflights',
    'storage/hostile/listeners.cases.ts',
    'stops reading a body without end behind an answer that did not need it, from 64 clients without a key',
  ],
  ['upgrade offers', 'hostile/offers.cases.ts', 'many offers at once leave turns of the event loop to others'],
  [
    'pipelined offers',
    'hostile/offers.cases.ts',
    'what the connections of one client hold while their offers wait is limited, and others are answered',
  ],
  [
    'unread answers',
    'hostile/answers.cases.ts',
    'an answer that is not read leaves no room for further ones of its key; others have theirs',
  ],
  [
    'long answers',
    'hostile/answers.cases.ts',
    'of many answers that nobody reads, one is made; as many as a batch has wait, and the others are refused',
  ],
  [
    'storage walks',
    'storage/hostile/shares.cases.ts',
    'long walks of one key do not keep others waiting, and end when their client leaves',
  ],
  ['gateway files', 'storage/gateway/serving.cases.ts', 'one address has only its share, and the others are answered'],
  ['slow uploads', 'storage/hostile/clients.cases.ts', 'a slow client'],
  [
    'queued uploads',
    'storage/hostile/shares.cases.ts',
    'further requests of a key wait, and too many are refused; those of others do not wait',
  ],
  [
    'compressed files',
    'storage/api/left-archive.cases.ts',
    'reads nothing any more when its memory is given back: get%s',
  ],
  [
    'sharded directories',
    'storage/hostile/floods.cases.ts',
    'shards below each other, more than a hash has bits for, and more than the allowed levels',
  ],
  ['byte ranges', 'storage/hostile/floods.cases.ts', '-999999999999999:999999999999999'],
  [
    'a preflight, or any request that needs no body, with a body that was read without an end',
    'storage/hostile/listeners.cases.ts',
    'stops reading a body without end behind an answer that did not need it, from 64 clients without a key',
  ],
  [
    'a raw transaction of a million items, decoded whole in one step',
    'runtime/permission.cases.ts',
    'a transaction of a million items is none, whatever they are',
  ],
  [
    'batches of answers just below 64 KiB, which were free',
    'admission/held.cases.ts',
    'many short parts count from their first byte: one batch goes on, and those beside it wait',
  ],
  [
    'notifications that its WebSockets do not read, a megabyte for each',
    'chain/filters.cases.ts',
    'notifications that nobody reads count as memory of their key, on all its WebSockets together',
  ],
  [
    'notifications beyond its credits a second: a debt without an end',
    'chain/key-limits.cases.ts',
    'notifications put a key into debt for ten seconds at most, and are refused after that',
  ],
  [
    'batches longer than its burst, of which only the burst was counted',
    'chain/shares.cases.ts',
    'a batch needs all its items at once, and is told when to come back',
  ],
  [
    'an upload that goes on and on',
    'storage/api/access.cases.ts',
    'a key that is revoked during an upload that goes on and on is told so before its end',
  ],
  [
    'requests that wait behind others, for minutes',
    'storage/hostile/shares.cases.ts',
    'a request whose key is revoked while it waits is refused',
  ],
  [
    'an upload that had begun before',
    'storage/api/access.cases.ts',
    'a key that may no longer pin is told so when its upload has arrived, and pins nothing',
  ],
  [
    'an address behind a second member of the same name',
    'chain/key-limits.cases.ts',
    'a member that a key could hide behind another of its name is refused before it reaches a node',
  ],
  [
    "another contract's code at a listed account, by an estimate's changes of the state",
    'runtime/permission.cases.ts',
    'an estimate with code of its own at a listed account',
  ],
  ['the same by an authorization', 'runtime/permission.cases.ts', "a call with another contract's code for an account"],
  [
    'bodies that are no JSON, kept until their end',
    'hostile/http.cases.ts',
    'a body that is no JSON is refused before it has arrived, from 64 clients at once, and none of it is kept',
  ],
  ['a long request for a method that escapes hide', 'chain/request-scan.cases.ts', 'a second method that escapes hide'],
  [
    'filters of subscriptions on many WebSockets',
    'chain/filters.cases.ts',
    'filters of all WebSockets of a key count as its memory, as long as their subscriptions last',
  ],
  [
    'blocks that readers of the gateway do not read',
    'storage/hostile/unread.cases.ts',
    'blocks that a reader of the gateway does not read count as memory of its address',
  ],
  [
    'a pinned block that stops every collection',
    'storage/hostile/unread.cases.ts',
    'a pinned block whose text cannot be written again stops no collection, and keeps what it links to',
  ],
  [
    'names of dag-pb that are stored as others',
    'storage/content/cbor.cases.ts',
    'a name of dag-pb that is not UTF-8 is refused in an upload, and one with the same letter is not',
  ],
  [
    'JSON that is stored as another character',
    'storage/content/cbor.cases.ts',
    'half of a surrogate pair in JSON is refused',
  ],
  [
    'pings between the fragments of a message',
    'hostile/sockets.cases.ts',
    'with pings between its fragments, which are counted, too',
  ],
  [
    'a page of a list of 80 MB, parsed in one step',
    'storage/store/bucket.cases.ts',
    'a page of a list that is too long to be one is not read to its end',
  ],
  [
    'the empty list of something else, by which everything is collected',
    'storage/store/bucket.cases.ts',
    'an empty list of something else is refused: %s',
  ],
  ['a file in one chunk with a slow hash', 'storage/hostile/unread.cases.ts', 'of a file that is added in one chunk'],
];
