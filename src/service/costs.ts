/** One thing that a client can make the service hold or do. */
export type Cost = {
  readonly what: string;
  /** Which share it is charged to, or what bounds it. */
  readonly share: string;
  /** Settings that limit it, below `rpc.limits`, `storage.limits`, `storage` or `storage.gateway`. */
  readonly limits: readonly string[];
  /** A test that attacks it. */
  readonly test: string;
};

const cost = (what: string, share: string, limits: readonly string[], test: string): Cost => ({
  what,
  share,
  limits,
  test: `test/service/${test}.cases.ts`,
});

/** Everything that a client can make the service hold or do. A route names those that it can cause. */
export const COSTS = {
  connection: cost(
    'a connection, from its acceptance to its end',
    'connections of its listener, within the descriptors of the process; the longest idle one gives way',
    ['rpc.limits.connections', 'storage.limits.connections'],
    'admission/descriptors',
  ),
  handshake: cost('a TLS handshake', 'connections; 30 s', [], 'hostile/offers'),
  head: cost('the head of a request', 'time to send it; 16 KiB', ['rpc.limits.requestMs'], 'hostile/http'),
  pipeline: cost(
    'requests behind others on one connection',
    'memory: 32 MiB of an address, 64 MiB of all; 100 of a connection, 1,001 in storage and gateway; it is closed',
    [],
    'hostile/http',
  ),
  offer: cost('an offer of another protocol', 'turns; 64 MiB of an address', [], 'hostile/offers'),
  request: cost(
    'a request, until its answer is read',
    'requests, and requests per second',
    [
      'rpc.limits.keyRequests',
      'rpc.limits.keyPerSecond',
      'storage.limits.keyRequests',
      'storage.limits.keyWaiting',
      'storage.limits.keyPerSecond',
      'storage.gateway.requestsPerAddress',
      'storage.gateway.requests',
    ],
    'storage/hostile/shares',
  ),
  key: cost('the check of a key, right or wrong', 'one look-up of a key at a time', [], 'chain/http'),
  rest: cost(
    'the rest of a JSON-RPC body that is refused',
    'turns: 24 pieces in 2 ms; twice the longest body',
    ['rpc.limits.bodyBytes'],
    'hostile/http',
  ),
  unread: cost(
    'a body behind an answer that did not need it',
    '1 MiB; the connection is closed',
    [],
    'storage/hostile/listeners',
  ),
  record: cost(
    'a line of the log, and counts in the metrics',
    'one line; labels are names of methods, commands and networks',
    [],
    'storage/hostile/heads',
  ),
  time: cost(
    'how long a request takes',
    'time',
    ['rpc.limits.answerMs', 'storage.limits.requestSeconds', 'storage.gateway.stallSeconds'],
    'storage/api/gone',
  ),
  credits: cost('the answer to a JSON-RPC request', 'daily credits of the key', [], 'chain/credits'),
  body: cost(
    'the body of a JSON-RPC request',
    'memory of the key, and of all',
    ['rpc.limits.bodyBytes', 'rpc.limits.keyBytes', 'rpc.limits.allBytes'],
    'hostile/limits',
  ),
  json: cost('parsing a JSON-RPC body', 'turns; 68 levels, 20,000 values', [], 'hostile/nesting'),
  batch: cost('the items of a batch', 'requests per second; turns of 16', ['rpc.limits.batchItems'], 'chain/batch'),
  socket: cost('a WebSocket', 'connections of the key', ['rpc.limits.keySockets'], 'hostile/limits'),
  message: cost(
    'a WebSocket message, from its first byte, with 512 bytes for each piece',
    'memory of the key; time',
    ['rpc.limits.frameBytes', 'rpc.limits.socketRequests', 'rpc.limits.requestMs'],
    'hostile/sockets',
  ),
  subscription: cost(
    'a subscription and its filter',
    'memory of the key',
    ['rpc.limits.socketSubscriptions'],
    'hostile/sockets',
  ),
  notification: cost(
    'notifications that nobody reads; each is charged',
    'memory of the key; credits a day and a second; the WebSocket is closed',
    ['rpc.limits.notificationBytes'],
    'chain/filters',
  ),
  filter: cost(
    'a filter, 512 bytes, until nobody has used it for five minutes; the node keeps its changes',
    'rows and memory of the key',
    ['rpc.limits.keyFilters', 'rpc.limits.keyBytes'],
    'chain/node-filters',
  ),
  lookup: cost('a look-up in the archive', 'daily credits; the last 8,192 are cached', [], 'chain/credits'),
  node: cost(
    'a request to a node or bundler, and its answer',
    'answers of the key, and of all; 16 that wait',
    ['rpc.limits.keyAnswerBytes', 'rpc.limits.allAnswerBytes'],
    'hostile/answers',
  ),
  report: cost(
    'the report of what a key has used',
    'requests per second; 31 days of a row for each method and reason',
    ['rpc.limits.keyPerSecond'],
    'chain/usage',
  ),
  upload: cost(
    'the body of an upload, as it arrives',
    'bytes a second; parts; paths',
    [
      'storage.limits.bodyBytes',
      'storage.limits.parts',
      'storage.limits.pathLength',
      'storage.limits.pathDepth',
      'storage.limits.pathsLength',
      'storage.limits.keyBytesPerSecond',
    ],
    'storage/hostile/bombs',
  ),
  part: cost(
    'a block that is in memory before it is stored',
    'memory of the key',
    ['storage.limits.blockBytes', 'storage.limits.keyMemoryBytes'],
    'storage/hostile/shares',
  ),
  entries: cost(
    'names of an upload, until their directory is built',
    'memory of the key',
    [],
    'storage/hostile/shares',
  ),
  blocks: cost(
    'blocks that a request stores or keeps, 100 bytes each',
    'memory of the key',
    ['storage.limits.addBlocks', 'storage.limits.carBlocks'],
    'storage/hostile/shares',
  ),
  disk: cost('bytes on the disk', 'the disk less its reserve', ['storage.diskReserveBytes'], 'storage/api/faults'),
  sync: cost('folders that are synced', '32 at once', [], 'storage/store/shared-sync'),
  hash: cost('hashing a block', 'turns, 64 KiB at a time', [], 'storage/content/turns'),
  carRecord: cost('a record of a CAR file', 'turns', ['storage.limits.carBlocks'], 'storage/content/turns'),
  multipart: cost(
    'the head of a part, and lines that look like its end',
    '16 KiB; one step for each piece; 4 levels',
    ['storage.limits.parts'],
    'storage/api/bad-input',
  ),
  decode: cost('decoding a block or an upload', 'turns; 1,024 levels, 1,048,576 values', [], 'storage/api/node-bounds'),
  read: cost('blocks that are read at once', '8 of a key or an address', [], 'storage/hostile/floods'),
  walk: cost(
    'a walk: its links, and the blocks that it remembers',
    'memory of the key or address; turns',
    [
      'storage.limits.dagDepth',
      'storage.limits.dagBlocks',
      'storage.limits.dagBytes',
      'storage.limits.dagPending',
      'storage.gateway.carBlocks',
    ],
    'storage/content/walk',
  ),
  path: cost('the names of a path', 'decoding a block for each', ['storage.limits.pathDepth'], 'storage/hostile/bombs'),
  arguments: cost('the arguments of a command', 'their number', ['storage.limits.args'], 'storage/hostile/bombs'),
  pin: cost(
    'a pin, its name, and the bytes that it holds',
    'rows of the key',
    ['storage.limits.keyPins', 'storage.limits.pinNameBytes', 'storage.limits.keyPinnedBytes'],
    'storage/hostile/shares',
  ),
  cursor: cost('a list of pins', 'memory of the key for 64 rows; turns', [], 'storage/store/pins'),
  listing: cost(
    'a listing that is sent as one value',
    'answers of the key, and of all',
    ['storage.limits.entries', 'storage.limits.keyAnswerBytes', 'storage.limits.allAnswerBytes'],
    'storage/hostile/shares',
  ),
  value: cost(
    'an answer that is sent as one value',
    'answers of the key, and of all',
    ['storage.limits.keyAnswerBytes', 'storage.limits.allAnswerBytes'],
    'storage/hostile/shares',
  ),
  stream: cost('an answer that is sent in pieces', 'one piece; the client sets the pace', [], 'storage/api/gone'),
  block: cost(
    'a block that a reader of the gateway has not accepted yet',
    'memory of the address',
    [],
    'storage/gateway/serving',
  ),
  archive: cost('the symbolic links of a tar archive', 'memory of the key', [], 'storage/api/bad-input'),
  collection: cost(
    'a collection, or a count of all blocks',
    'operators only; one at a time',
    [],
    'storage/store/garbage',
  ),
} as const satisfies Record<string, Cost>;

export type CostName = keyof typeof COSTS;

/** What every request to a listener can cost, before it is one of a route. */
export const OF_EVERY_REQUEST: readonly CostName[] = [
  'connection',
  'handshake',
  'head',
  'pipeline',
  'offer',
  'key',
  'unread',
  'record',
  'request',
  'time',
];
