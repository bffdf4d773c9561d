import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MINIMUM_METAMASK_VERSION, MINIMUM_PLATFORM_VERSION } from '../../../src/core/minimum-wallet';
import { sdkParts, unknownPermissions, unknownTo, usedParts } from '../../support/sdk-parts';

const root = join(__dirname, '../../..');
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;

type Permissions = Record<string, Record<string, unknown>>;
const MANIFESTS = ['snap.manifest.json', 'snap.manifest.insights.json', 'snap.manifest.dev.json'].map(
  (path) => [path, readJson(path)] as const,
);

/**
 * The fields that the manifest of a snap may have in MetaMask 13.36, which refuses others; `extends` is for the build.
 */
const MANIFEST_FIELDS = [
  'version',
  'description',
  'proposedName',
  'repository',
  'source',
  'initialConnections',
  'initialPermissions',
  'manifestVersion',
  'platformVersion',
  '$schema',
  'extends',
];

const OLDEST = sdkParts('@metamask/snaps-sdk');
const SDKS = [
  ['the oldest SDK', OLDEST],
  ['the newest SDK', sdkParts('snaps-sdk-newest')],
] as const;

const sources = Object.fromEntries(
  readdirSync(join(root, 'src/snap'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/u.test(path))
    .map((path) => [path, readFileSync(join(root, 'src/snap', path), 'utf8')]),
);

describe('the check of what the snap uses', () => {
  it('finds a newer component, a newer prop and a newer method', () => {
    const source = `
      import { Box, Hologram, Row, type JSXElement } from '@metamask/snaps-sdk/jsx';
      import { Ours } from './ours';
      export const screen = (<Box glow={true}><Hologram /><Row label="a" key="b">x</Row><Ours any={1} /></Box>);
      snap.request({ method: 'snap_openHologram' });
    `;
    expect(unknownTo(OLDEST, usedParts({ 'screen.tsx': source }))).toEqual([
      'Box.glow',
      'Hologram',
      'snap_openHologram',
    ]);
  });

  it('finds a newer permission and a newer field of one', () => {
    const permissions = {
      'endowment:hologram': {},
      'endowment:rpc': { dapps: true, holograms: true },
      snap_dialog: {},
    };
    expect(unknownPermissions(OLDEST, permissions)).toEqual(['endowment:hologram', 'endowment:rpc.holograms']);
  });

  it('sees the parts that the snap is known to use', () => {
    const { components, methods } = usedParts(sources);
    expect([...components.keys()]).toEqual(expect.arrayContaining(['Row', 'CollapsibleSection', 'Dropdown']));
    expect([...(components.get('Address') ?? [])]).toContain('truncate');
    expect([...methods]).toEqual(expect.arrayContaining(['snap_dialog', 'snap_getClientStatus']));
  });
});

describe.each(SDKS)('%s', (_name, sdk) => {
  it('knows every component, prop and method that the snap uses', () => {
    expect(unknownTo(sdk, usedParts(sources))).toEqual([]);
  });

  it.each(MANIFESTS)('knows every permission in %s, with its fields', (_path, { initialPermissions }) => {
    expect(unknownPermissions(sdk, initialPermissions as Permissions)).toEqual([]);
  });
});

describe('the minimum wallet', () => {
  it('is the one that the manifests ask for, and the SDK of the build is its', () => {
    const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };
    expect(OLDEST.version).toBe(MINIMUM_PLATFORM_VERSION);
    expect(dependencies['@metamask/snaps-sdk']).toBe(MINIMUM_PLATFORM_VERSION);
    const asked = MANIFESTS.flatMap(([, { platformVersion }]) => platformVersion ?? []);
    expect(new Set(asked)).toEqual(new Set([MINIMUM_PLATFORM_VERSION]));
  });

  it.each(MANIFESTS)('knows every field of %s', (_path, manifest) => {
    expect(Object.keys(manifest).filter((field) => !MANIFEST_FIELDS.includes(field))).toEqual([]);
  });

  it('is no newer than the code needs: it has a component that its predecessor lacks', () => {
    // CollapsibleSection came with 11.1.0. Without it, an older platform would do.
    expect([...usedParts(sources).components.keys()]).toContain('CollapsibleSection');
  });

  it('is named in the README', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`MetaMask ${MINIMUM_METAMASK_VERSION}`);
  });
});
