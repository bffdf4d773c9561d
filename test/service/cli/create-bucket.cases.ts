import { runCli, runCommand } from '../../support/service/cli';
import { makeFolder, writeFile } from '../../support/service/folder';
import { noBucket, startS3 } from '../../support/storage/s3-process';

(noBucket === undefined ? test : test.skip)(
  `storage create-bucket creates the bucket of the configuration once, and the service finds it${noBucket === undefined ? '' : ` (${noBucket})`}`,
  async () => {
    const { endpoint } = await startS3();
    const dataDir = makeFolder();
    const s3 = { endpoint, bucket: 'new-bucket', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
    const config = writeFile('config.json', JSON.stringify({ storage: { s3 } }));
    const run = (name: string, ...more: string[]) => runCli(dataDir, ['storage', name, '--config', config, ...more]);
    expect(await run('stat')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the object store answered GET with 404 NoSuchBucket') as string,
    });
    expect(await run('create-bucket', '--json')).toMatchObject({
      code: 0,
      json: [{ bucket: 'new-bucket', created: true }],
    });
    expect(await run('create-bucket')).toMatchObject({ code: 0, stdout: 'new-bucket exists already\n' });
    expect(await run('stat')).toMatchObject({ code: 0, stdout: '0 blocks, 0 bytes, 0 pins\n' });
  },
);

test('storage create-bucket needs a bucket in the configuration', async () => {
  expect(await runCommand(makeFolder(), ['storage', 'create-bucket'])).toMatchObject({
    code: 1,
    stderr: 'error: storage.s3: required, names the bucket\n',
  });
});
