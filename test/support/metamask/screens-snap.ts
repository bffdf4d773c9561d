import { DEFAULT_NPM_REGISTRY } from '@metamask/snaps-controllers';
import { type SnapManifest } from '@metamask/snaps-utils';

import { type ServedSnap, serveFiles } from './snap-server';

const NAME = 'Screens';

/** A snap that shows any screen: in one dialog, which stays open and changes what it shows, or on its home page. */
const BUNDLE = `
let id;
module.exports.onRpcRequest = async ({ request: { method, params } }) => {
  const draw = (change, more) => snap.request({ method: change, params: { ...more, ui: params } });
  if (method === 'open') {
    id = await draw('snap_createInterface');
    return snap.request({ method: 'snap_dialog', params: { type: 'confirmation', id } });
  }
  return draw('snap_updateInterface', { id });
};
`;

const MANIFEST = {
  version: '1.0.0',
  description: 'Shows screens.',
  proposedName: NAME,
  source: {
    shasum: '',
    location: { npm: { filePath: 'bundle.js', packageName: 'screens', registry: DEFAULT_NPM_REGISTRY.origin } },
  },
  initialPermissions: {
    'endowment:rpc': { dapps: true, snaps: false, maxRequestTime: 180_000 },
    snap_dialog: {},
  },
  platformVersion: '6.22.0',
  manifestVersion: '0.1',
} as unknown as SnapManifest;

export const serveScreensSnap = (): Promise<ServedSnap> =>
  serveFiles({ manifest: MANIFEST, others: { 'bundle.js': BUNDLE } });
