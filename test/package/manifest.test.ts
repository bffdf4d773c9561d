import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import {
  endowmentCaveatMappers,
  endowmentPermissionBuilders,
  getMaxRequestTimeCaveat,
} from '@metamask/snaps-rpc-methods';
import { type Json } from '@metamask/snaps-sdk';
import { assertIsSnapManifest, DEFAULT_ENDOWMENTS, MAXIMUM_REQUEST_TIMEOUT } from '@metamask/snaps-utils';

import open from './open-permissions.json';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readJson = (path: string) => JSON.parse(read(path)) as Record<string, unknown>;

type Manifest = {
  version: string;
  platformVersion: string;
  proposedName: string;
  source: { shasum?: string; location: { npm: { packageName: string; registry?: string } } };
  initialPermissions: Record<string, { allowedOrigins?: string[] }>;
};

/** The committed manifest and the built snap of an edition. */
const edition = (manifest: string, folder: string) => ({
  committed: readJson(manifest) as unknown as Manifest,
  built: readJson(`${folder}/snap.manifest.json`) as unknown as Manifest,
  packageJson: readJson(`${folder}/package.json`) as { name: string; version: string },
  bundle: read(`${folder}/bundle.js`),
});
const keystead = edition('snap.manifest.json', 'dist');
const insights = edition('snap.manifest.insights.json', 'dist-insights');

const EDITIONS = [
  ['Keystead', keystead],
  ['Keystead Insights', insights],
] as const;

/**
 * The permission that a request to the wallet needs, if it is not named like it; null where the wallet asks for none.
 */
const PERMISSION_OF_REQUEST: Readonly<Record<string, string | null>> = {
  snap_getState: 'snap_manageState',
  snap_setState: 'snap_manageState',
  snap_createInterface: null,
  snap_updateInterface: null,
  snap_resolveInterface: null,
  snap_getClientStatus: null,
  snap_getBackgroundEvents: 'endowment:cronjob',
  snap_scheduleBackgroundEvent: 'endowment:cronjob',
  snap_cancelBackgroundEvent: 'endowment:cronjob',
  snap_getFile: null,
};

/** The permission for each export that the wallet calls; null where it asks for none. */
const PERMISSION_OF_EXPORT: Readonly<Record<string, string | null>> = {
  onKeyringRequest: 'endowment:keyring',
  onRpcRequest: 'endowment:rpc',
  onCronjob: 'endowment:cronjob',
  onHomePage: 'endowment:page-home',
  onTransaction: 'endowment:transaction-insight',
  onSignature: 'endowment:signature-insight',
  onUserInput: null,
};

/** What is used through a global. */
const PERMISSION_OF_GLOBAL: Readonly<Record<string, RegExp>> = {
  'endowment:ethereum-provider': /\bethereum\.request\(/u,
  'endowment:network-access': /\bfetch\(/u,
};

/** The methods of the wallet that a bundle names. */
const requestsIn = (bundle: string): string[] => [...new Set(bundle.match(/\b(?:snap|wallet)_[A-Za-z0-9]+/gu))];

function exportsOf(bundle: string): string[] {
  const module = { exports: {} };
  compileFunction(bundle, ['module', 'exports'])(module, module.exports);
  return Object.keys(module.exports);
}

function permissionsUsedBy(bundle: string): string[] {
  const requests = requestsIn(bundle)
    .filter((method) => method.startsWith('snap_'))
    .map((method) => (method in PERMISSION_OF_REQUEST ? PERMISSION_OF_REQUEST[method] : method));
  const handlers = exportsOf(bundle).map((name) => {
    expect(Object.keys(PERMISSION_OF_EXPORT)).toContain(name);
    return PERMISSION_OF_EXPORT[name];
  });
  const globals = Object.entries(PERMISSION_OF_GLOBAL).flatMap(([name, sign]) => (sign.test(bundle) ? [name] : []));
  const used = [...requests, ...handlers, ...globals].filter((name): name is string => typeof name === 'string');
  return [...new Set(used)].sort();
}

describe.each(EDITIONS)('the manifest of %s', (name, { committed, built, packageJson, bundle }) => {
  it('asks for every permission that the bundle uses, and for no other', () => {
    expect(Object.keys(committed.initialPermissions).sort()).toEqual(permissionsUsedBy(bundle));
  });

  it('of the build has the same permissions as the committed one', () => {
    expect(built.initialPermissions).toEqual(committed.initialPermissions);
  });

  it('is one that a wallet takes', () => {
    expect(() => {
      assertIsSnapManifest(built);
    }).not.toThrow();
  });

  it('leaves to the build what a build computes', () => {
    expect(committed.source.shasum).toBeUndefined();
    expect(committed.source.location.npm.registry).toBeUndefined();
    expect(built.source.shasum).toMatch(/^[A-Za-z0-9+/]{43}=$/u);
  });

  it('agrees with the packages', () => {
    const { version, dependencies } = readJson('package.json') as {
      version: string;
      dependencies: Record<string, string>;
    };
    expect(committed.version).toBe(version);
    // The wallet sends the origin of a request only from platform version 7 on, and it must be the SDK's.
    expect(committed.platformVersion).toBe(dependencies['@metamask/snaps-sdk']);
    expect(committed.proposedName).toBe(name);
    expect(packageJson).toMatchObject({ name: committed.source.location.npm.packageName, version });
  });
});

describe('the manifest of Keystead', () => {
  it('of a production build lets no page in', () => {
    expect(keystead.built.initialPermissions['endowment:keyring']).toMatchObject({ allowedOrigins: [] });
  });

  it('is of the package that this repository is', () => {
    expect(keystead.committed.source.location.npm.packageName).toBe(readJson('package.json').name);
  });

  it.each(['endowment:keyring', 'endowment:rpc'] as const)(
    'gives requests through %s all the time that a wallet allows',
    (name) => {
      const { caveats } = endowmentCaveatMappers[name]!(keystead.built.initialPermissions[name] as Json);
      expect(getMaxRequestTimeCaveat({ caveats } as never)).toBe(MAXIMUM_REQUEST_TIMEOUT);
      // The wallet's own check of the permission.
      const { validator } = endowmentPermissionBuilders[name].specificationBuilder({});
      expect(() => validator?.({ caveats } as never)).not.toThrow();
    },
  );
});

/** The order n of secp256k1 (SEC 2, 2.4.1). No code can sign without it. */
const CURVE_ORDER = /fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141/iu;

describe('Keystead Insights', () => {
  const asked = Object.keys(insights.built.initialPermissions);

  it(`asks only for what ${open.wallet} grants to any snap, without an allow-list or an audit`, () => {
    for (const name of asked) expect(open.permissions).toContain(name);
  });

  it('gets nothing from the wallet that reaches a network, but the wallet’s provider', () => {
    const builders = new Map(Object.entries(endowmentPermissionBuilders));
    const given = (name: string): readonly string[] =>
      builders
        .get(name)
        ?.specificationBuilder({})
        .endowmentGetter(undefined as never) ?? [];
    expect(asked.flatMap(given)).toEqual(['ethereum']);
    const network = [...given('endowment:network-access'), 'XMLHttpRequest', 'WebSocket', 'EventSource', 'navigator'];
    expect(network).toContain('fetch');
    for (const name of network) expect(DEFAULT_ENDOWMENTS).not.toContain(name);
  });

  it('shows nothing by itself when it is installed', () => {
    expect(exportsOf(insights.bundle)).not.toContain('onInstall');
    expect(exportsOf(insights.bundle)).toContain('onHomePage');
  });

  it('calls these methods of the wallet and no others', () => {
    expect(requestsIn(insights.bundle).sort()).toEqual([
      'snap_cancelBackgroundEvent',
      'snap_dialog',
      'snap_getBackgroundEvents',
      'snap_getClientStatus',
      'snap_getFile',
      'snap_getState',
      'snap_notify',
      'snap_scheduleBackgroundEvent',
      'snap_setState',
      'snap_updateInterface',
      'wallet_switchEthereumChain',
    ]);
  });

  it('contains no code that signs, unlike the edition with accounts', () => {
    expect(keystead.bundle).toMatch(CURVE_ORDER);
    expect(insights.bundle).not.toMatch(CURVE_ORDER);
    expect(insights.bundle).not.toMatch(/eth_send|eth_sign(?!TypedData)|keyring_/u);
  });
});
