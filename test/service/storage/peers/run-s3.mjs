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
const bound = await server.run();
process.stdout.write(`ready ${bound.port}\n`);
