import { type SnapConfig } from '@metamask/snaps-cli';

const FOLDER = process.env.KEYSTEAD_OUT ?? 'dist';

/**
 * What `mm-snap build` is told. `scripts/build.ts` stages the output folder and sets the variables; the defaults are
 * those of a production build. Bundling and minifying are mm-snap's own: what is reviewed is what ships.
 */
const config: SnapConfig = {
  input: process.env.KEYSTEAD_INPUT ?? 'src/snap/index.ts',
  output: { path: FOLDER, filename: 'bundle.js', minimize: true },
  manifest: { path: `${FOLDER}/snap.manifest.json`, update: true },
  // Development builds are made of the production build, with the page's origins in this place.
  environment: { KEYSTEAD_COMPANION_ORIGINS: '[]' },
  sourceMap: process.env.KEYSTEAD_SOURCE_MAP === 'yes',
  server: { enabled: false },
};

export default config;
