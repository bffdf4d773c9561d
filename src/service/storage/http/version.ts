import { arch, platform } from 'node:os';
import { version } from '../../../../package.json';

const ARCHITECTURES: Partial<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** The Kubo version that this service emulates. */
export const API_VERSION = '0.27.0';
/** Version of the repository format, as reported by that Kubo version. */
export const REPO_VERSION = '15';
/** The service's name in the `Server` header and in `id`. */
export const AGENT = `keystead/${version}`;

export const SYSTEM = `${ARCHITECTURES[arch()] ?? arch()}/${platform()}`;
