import { version } from '../../../../package.json';
import { defineMethod } from './method';

/** No parameters. Result: this service as `name/version/platform/runtime`. */
export const web3ClientVersion = defineMethod(
  'web3_clientVersion',
  [],
  async () => `Keystead/v${version}/${process.platform}-${process.arch}/node${process.version}`,
);
