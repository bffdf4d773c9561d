import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import S3rver from 's3rver';

/**
 * An S3-compatible service in a directory, with one bucket: `run-s3.mjs <directory> <address> <port>`. Prints its port.
 */
const [directory, address, port] = process.argv.slice(2);
const server = new S3rver({
  address,
  port: Number(port),
  directory,
  silent: true,
  configureBuckets: [{ name: 'files' }],
});

/**
 * s3rver answers once the last bytes are on their way to the file, before they are in it, and shows a part of the
 * object until then. An S3 service does neither.
 */
const { store } = server;
store.putObject = async ({ bucket, key, content, metadata }) => {
  const pieces = Buffer.isBuffer(content) ? [content] : await content.toArray();
  const bytes = Buffer.concat(pieces);
  const path = store.getResourcePath(bucket, key, 'object');
  await mkdir(dirname(path), { recursive: true });
  // Others may be storing the same object.
  const whole = `${path}.${randomUUID()}`;
  await writeFile(whole, bytes);
  await rename(whole, path);
  const md5 = createHash('md5').update(bytes).digest('hex');
  await store.putMetadata(bucket, key, metadata, md5);
  return { size: bytes.length, md5 };
};

const bound = await server.run();
process.stdout.write(`ready ${bound.port}\n`);
