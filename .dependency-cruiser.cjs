/**
 * The import laws. Each room lists the rooms it may import from; its own files always count. No rooms import each other
 * in a circle.
 */
const CORE = [
  'core/lru-cache',
  'core/mutex',
  'core/errors',
  'core/eth',
  'core/structs',
  'core/erc4337',
  'core/safe',
  'core/kinds',
  'core/schemas',
  'core/networks',
  'core/calls',
  'core/decode',
  'core/simulation',
  'core/accounts',
  'core/ledger',
  'core/watch',
  'core/methods',
];
const upTo = (room) => CORE.slice(0, CORE.indexOf(room) + 1);

const ROOMS = {
  'core/lru-cache': [],
  'core/mutex': [],
  'core/errors': [],
  'core/minimum-wallet': [],
  'core/eth': upTo('core/errors'),
  'core/structs': upTo('core/eth'),
  'core/erc4337': upTo('core/eth'),
  'core/safe': upTo('core/erc4337'),
  'core/kinds': upTo('core/safe'),
  'core/schemas': upTo('core/kinds'),
  'core/networks': upTo('core/schemas'),
  'core/calls': [],
  'core/decode': ['core/calls', ...upTo('core/networks')],
  'core/simulation': upTo('core/decode'),
  'core/accounts': upTo('core/decode'),
  'core/ledger': upTo('core/simulation'),
  'core/watch': upTo('core/simulation'),
  'core/methods': ['core/ledger', ...upTo('core/accounts')],
  clients: ['core/ledger', ...upTo('core/networks')],
  simulation: ['clients', ...CORE],
  provider: ['clients', 'core/methods', ...upTo('core/networks')],
  testing: ['provider', 'clients', 'core/methods', ...upTo('core/networks')],
  companion: ['clients', 'provider', 'simulation', 'core/minimum-wallet', ...CORE],
  'simulated-wallet': ['clients', 'provider', 'core/minimum-wallet', ...CORE],

  // A room of the snap imports at most four others of the snap. The entry points and the wiring import what they join.
  'snap/wallet': ['clients', ...CORE],
  'snap/screens': CORE,
  'snap/network': ['snap/screens', 'snap/wallet', 'clients', ...CORE],
  'snap/explain': ['snap/network', 'snap/wallet', 'simulation', 'clients', ...CORE],
  'snap/account': ['snap/explain', 'snap/network', 'snap/screens', 'snap/wallet', 'simulation', 'clients', ...CORE],
  'snap/sites': ['snap/account', 'snap/network', 'snap/screens', 'snap/wallet', 'clients', ...CORE],
  'snap/send': ['snap/account', 'snap/network', 'snap/sites', 'snap/wallet', 'clients', ...CORE],
  'snap/handlers': ['snap/', 'simulation', 'clients', ...CORE],
  'snap/insights': ['snap/', ...CORE],

  'service/runtime': upTo('core/eth'),
  'service/admission': ['service/runtime'],
  'service/costs': [],
  // Transactions are RLP, as archived blocks are.
  'service/keys': ['service/chain/archive', 'service/runtime'],
  'service/part': ['service/keys', 'service/runtime'],
  'service/operations': ['service/part', 'service/admission', 'service/runtime'],
  'service/chain': [
    'service/costs',
    'service/part',
    'service/keys',
    'service/admission',
    'service/runtime',
    'clients',
    'core/methods',
    ...upTo('core/networks'),
  ],
  'service/storage': [
    'service/costs',
    'service/part',
    'service/keys',
    'service/admission',
    'service/runtime',
    'clients',
    ...upTo('core/eth'),
  ],
  'service/storage/errors': [],
  'service/storage/store': ['service/storage/errors', 'service/admission', 'service/runtime'],
  'service/storage/content': [
    'service/storage/store',
    'service/storage/errors',
    'service/admission',
    'service/runtime',
  ],
  'service/storage/http': ['service/storage/content', 'service/storage/errors', 'service/admission', 'service/runtime'],
  'service/storage/api': [
    'service/costs',
    'service/storage/content',
    'service/storage/http',
    'service/storage/store',
    'service/storage/errors',
    'service/keys',
    'service/admission',
    'service/runtime',
  ],
  'service/storage/gateway': [
    'service/costs',
    'service/storage/content',
    'service/storage/http',
    'service/storage/store',
    'service/storage/errors',
    'service/admission',
    'service/runtime',
  ],
  'service/cli': ['service/', ...upTo('core/eth')],
  devnet: ['clients', 'service/', ...CORE],
};

/** A room is a folder, or a single file. A name that ends with a slash stands for all rooms below it. */
const inRoom = (room) => `^src/${room}${room.endsWith('/') ? '' : '(?:/|\\.ts$)'}`;

/** The folders that are rooms, and not folders within one. */
const A_ROOM = '^src/(?:(?:core|snap|service|service/storage)/)?[^/]+$';

/** What runs in the wallet or in a page has no Node. */
const WITHOUT_NODE = '^src/(?:core|clients|simulation|snap|provider|companion|simulated-wallet)/';

module.exports = {
  forbidden: [
    ...Object.entries(ROOMS).map(([room, may]) => ({
      name: room,
      comment: `${room}/ may import from: ${may.join(', ') || 'nothing'}`,
      severity: 'error',
      from: { path: inRoom(room) },
      to: { path: '^src/', pathNot: [room, ...may].map(inRoom) },
    })),
    {
      name: 'no-circular-rooms',
      comment: 'Rooms that import each other are one room.',
      severity: 'error',
      scope: 'folder',
      from: { path: A_ROOM },
      to: { path: A_ROOM, circular: true },
    },
    {
      name: 'no-circular-files',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-node',
      comment: 'This runs in the wallet or in a page.',
      severity: 'error',
      from: { path: WITHOUT_NODE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'charged',
      comment: 'What a client can have the service read, walk, hash or list is charged to its request.',
      severity: 'error',
      from: {
        path: '^src/service/',
        pathNot: '^src/service/(?:admission|storage/cli|storage/store/bucket-pins\\.ts|storage/server\\.ts)',
      },
      to: { path: '^src/service/admission/uncharged\\.ts' },
    },
    {
      name: 'counted-in-one-room',
      comment: 'Turns, rates and queues are of a client of the admission room, not of one route or attack.',
      severity: 'error',
      from: { path: '^src/service/', pathNot: '^src/service/admission/' },
      to: { path: '^src/service/admission/(?:turns|token-bucket|queue)\\.ts' },
    },
    {
      name: 'files-are-opened-by-the-store',
      comment: 'Commands and the gateway read, write and hash through the store and the content, which take a charge.',
      severity: 'error',
      from: {
        path: '^src/service/storage/(?:api|gateway|content|http)/',
        pathNot: '^src/service/storage/(?:api/identity|gateway/headers)\\.ts',
      },
      to: { path: '^(?:node:)?(?:fs|fs/promises|crypto|child_process|worker_threads)$|node_modules/@noble/' },
    },
    {
      name: 'core-is-pure',
      comment: 'core/ stands on cryptography, encoding and validation, and on nothing that reaches outside.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { path: 'node_modules/@metamask/snaps-sdk' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
