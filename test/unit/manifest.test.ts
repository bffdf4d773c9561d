import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  endowmentCaveatMappers,
  endowmentPermissionBuilders,
  getMaxRequestTimeCaveat,
} from '@metamask/snaps-rpc-methods';
import { type Json } from '@metamask/snaps-sdk';
import { assertIsSnapManifest, MAXIMUM_REQUEST_TIMEOUT } from '@metamask/snaps-utils';

const root = join(__dirname, '../..');
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;

/** The folders that become the bundle. */
const SNAP_SOURCES = ['clients', 'core', 'snap'];

const sources = SNAP_SOURCES.flatMap((folder) =>
  readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/u.test(name))
    .map((name) => join('src', folder, name)),
)
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

/** The permission that a request of ours needs; null where the wallet asks for none. */
const PERMISSION_OF_REQUEST: Readonly<Record<string, string | null>> = {
  snap_getState: 'snap_manageState',
  snap_setState: 'snap_manageState',
  snap_createInterface: null,
  snap_updateInterface: null,
  snap_getClientStatus: null,
  snap_getBackgroundEvents: 'endowment:cronjob',
  snap_scheduleBackgroundEvent: 'endowment:cronjob',
  snap_cancelBackgroundEvent: 'endowment:cronjob',
  snap_getFile: null,
};
/** What is used other than by its own name. */
const SIGNS_OF_USE: Readonly<Record<string, RegExp>> = {
  'endowment:keyring': /export const onKeyringRequest\b/u,
  'endowment:rpc': /export const onRpcRequest\b/u,
  'endowment:page-home': /export const onHomePage\b/u,
  'endowment:transaction-insight': /export const onTransaction\b/u,
  'endowment:signature-insight': /export const onSignature\b/u,
  'endowment:ethereum-provider': /\bethereum\.request\(/u,
  'endowment:network-access': /\bfetch\(/u,
  snap_manageAccounts: /\bemitSnapKeyringEvent\(snap\b/u,
};

type Manifest = {
  version: string;
  platformVersion: string;
  source: { shasum?: string; location: { npm: { packageName: string; registry?: string } } };
  initialPermissions: Record<string, { allowedOrigins?: string[] }>;
};
const committed = readJson('snap.manifest.json') as unknown as Manifest;
const built = readJson('dist/snap.manifest.json') as unknown as Manifest;

describe('the manifest', () => {
  it('asks for every permission that the code uses, and for no other', () => {
    const requested = [...sources.matchAll(/method: '(snap_[A-Za-z0-9]+)'/gu)].map(([, method]) => method as string);
    expect(requested.length).toBeGreaterThan(3);
    const used = new Set(
      requested
        .map((method) => (method in PERMISSION_OF_REQUEST ? PERMISSION_OF_REQUEST[method] : method))
        .filter((name) => name !== null),
    );
    for (const [permission, sign] of Object.entries(SIGNS_OF_USE)) if (sign.test(sources)) used.add(permission);
    expect(Object.keys(committed.initialPermissions).sort()).toEqual([...used].sort());
  });

  it('of the build has the same permissions as the committed one', () => {
    expect(built.initialPermissions).toEqual(committed.initialPermissions);
  });

  it('of a production build lets no page in', () => {
    expect(built.initialPermissions['endowment:keyring']).toMatchObject({ allowedOrigins: [] });
  });

  it.each(['endowment:keyring', 'endowment:rpc'] as const)(
    'gives requests through %s all the time that a wallet allows',
    (name) => {
      const { caveats } = endowmentCaveatMappers[name]!(built.initialPermissions[name] as Json);
      expect(getMaxRequestTimeCaveat({ caveats } as never)).toBe(MAXIMUM_REQUEST_TIMEOUT);
      // The wallet's own check of the permission.
      const { validator } = endowmentPermissionBuilders[name].specificationBuilder({});
      expect(() => validator?.({ caveats } as never)).not.toThrow();
    },
  );

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
    const { version, name, dependencies } = readJson('package.json') as {
      version: string;
      name: string;
      dependencies: Record<string, string>;
    };
    expect(committed.version).toBe(version);
    expect(committed.source.location.npm.packageName).toBe(name);
    // The wallet sends the origin of a request only from platform version 7 on, and it must be the SDK's.
    expect(committed.platformVersion).toBe(dependencies['@metamask/snaps-sdk']);
  });
});
