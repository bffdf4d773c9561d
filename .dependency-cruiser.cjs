/**
 * The import laws. Each room lists the rooms it may import from; its own files always count. No rooms import each other
 * in a circle.
 */
const CORE = [
  'core/lru-cache',
  'core/mutex',
  'core/errors',
  'core/eth',
  'core/erc4337',
  'core/schemas',
  'core/networks',
  'core/decode',
  'core/simulation',
  'core/recovery',
  'core/accounts',
];
const upTo = (room) => CORE.slice(0, CORE.indexOf(room) + 1);

const ROOMS = {
  'core/lru-cache': [],
  'core/mutex': [],
  'core/errors': [],
  'core/minimum-wallet': [],
  'core/eth': upTo('core/errors'),
  'core/erc4337': upTo('core/eth'),
  'core/schemas': upTo('core/erc4337'),
  'core/networks': upTo('core/schemas'),
  'core/decode': ['core/recovery', ...upTo('core/networks')],
  'core/simulation': upTo('core/decode'),
  'core/recovery': upTo('core/schemas'),
  'core/accounts': upTo('core/decode'),
  clients: upTo('core/networks'),
  simulation: ['clients', ...CORE],
  provider: ['clients', ...upTo('core/networks')],
  companion: ['clients', 'provider', 'simulation', 'core/minimum-wallet', ...CORE],
  'simulated-wallet': ['clients', 'provider', 'core/minimum-wallet', ...CORE],

  'snap/platform': ['clients', ...upTo('core/networks')],
  'snap/storage': ['snap/platform', ...CORE],
  'snap/ui': CORE,
  'snap/methods': CORE,
  'snap/contract-metadata': ['snap/platform', 'clients', ...CORE],
  'snap/networks': ['snap/methods', 'snap/platform', 'snap/storage', 'snap/ui', 'clients', ...CORE],
  'snap/delegations': [
    'snap/methods',
    'snap/networks',
    'snap/platform',
    'simulation',
    'snap/storage',
    'snap/ui',
    'clients',
    ...CORE,
  ],
  'snap/recipients': ['snap/platform', 'snap/storage', 'clients', ...CORE],
  'snap/recoveries': ['snap/networks', 'snap/platform', 'snap/storage', 'clients', ...CORE],
  'snap/tokens': ['snap/platform', 'snap/storage', ...CORE],
  'snap/simulation': ['snap/contract-metadata', 'snap/platform', 'simulation', 'clients', ...CORE],
  'snap/accounts': [
    'snap/contract-metadata',
    'snap/delegations',
    'snap/methods',
    'snap/networks',
    'snap/platform',
    'snap/recipients',
    'snap/recoveries',
    'snap/simulation',
    'snap/storage',
    'snap/ui',
    'clients',
    ...CORE,
  ],
  'snap/backup': ['snap/accounts', 'snap/networks', 'snap/platform', 'snap/storage', 'snap/ui', 'clients', ...CORE],
  'snap/permissions': ['snap/accounts', 'snap/networks', 'snap/platform', 'snap/storage', 'snap/ui', ...CORE],
  'snap/batches': [
    'snap/accounts',
    'snap/delegations',
    'snap/methods',
    'snap/networks',
    'snap/permissions',
    'snap/platform',
    'snap/recoveries',
    'snap/storage',
    'snap/ui',
    'clients',
    ...CORE,
  ],
  'snap/activity': ['snap/batches', 'snap/recipients', ...CORE],
  'snap/rpc': [
    'snap/accounts',
    'snap/batches',
    'snap/contract-metadata',
    'snap/delegations',
    'snap/methods',
    'snap/networks',
    'snap/permissions',
    'snap/platform',
    'snap/storage',
    'snap/tokens',
    'snap/ui',
    'clients',
    ...CORE,
  ],
  'snap/handlers': ['snap/', 'simulation', 'clients', ...CORE],
  'snap/insights-edition': [
    'snap/contract-metadata',
    'snap/handlers',
    'snap/platform',
    'snap/recipients',
    'snap/simulation',
    'snap/storage',
    ...CORE,
  ],

  'service/runtime': upTo('core/eth'),
  'service/keys': ['service/runtime'],
  'service/part': ['service/keys', 'service/runtime'],
  'service/chain': ['service/part', 'service/keys', 'service/runtime', 'clients', ...upTo('core/networks')],
  'service/storage': ['service/part', 'service/keys', 'service/runtime', 'clients', ...upTo('core/eth')],
  'service/storage/errors': [],
  'service/storage/store': ['service/storage/errors', 'service/runtime'],
  'service/storage/content': ['service/storage/store', 'service/storage/errors', 'service/runtime'],
  'service/storage/http': ['service/storage/content', 'service/storage/errors', 'service/runtime'],
  'service/storage/api': [
    'service/storage/content',
    'service/storage/http',
    'service/storage/store',
    'service/storage/errors',
    'service/runtime',
  ],
  'service/storage/gateway': [
    'service/storage/content',
    'service/storage/http',
    'service/storage/store',
    'service/storage/errors',
    'service/runtime',
  ],
  'service/storage/migrate': ['service/storage/store', 'service/storage/errors', 'service/runtime'],
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
