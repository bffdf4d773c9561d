import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { makeFolder } from './folder';

/** Why tests with TLS are skipped, or undefined if they run. */
export const noOpenssl =
  spawnSync('openssl', ['version']).status === 0 ? undefined : 'skipped: openssl is not installed';

/** Makes a self-signed certificate for 127.0.0.1. @returns The paths of its PEM files. */
export function makeCertificate(): { cert: string; key: string } {
  const folder = makeFolder();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...algorithm, '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  return { cert, key };
}
