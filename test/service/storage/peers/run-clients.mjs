// Drives a service with kubo-rpc-client and ipfs-http-client: run-clients.mjs <url>.
// Prints one JSON line: {<client>: {<method>: <result or error>}}.
const [url] = process.argv.slice(2);

async function collect(values) {
  const all = [];
  for await (const value of values) all.push(value);
  return all;
}

const joined = async (pieces) => Buffer.concat(await collect(pieces)).toString('latin1');
const text = (cid) => cid.toString();

async function drive(create) {
  const api = create({ url });
  const results = {};
  const record = async (name, action) => {
    try {
      results[name] = await action();
    } catch (error) {
      results[name] = `error: ${error.message}`;
    }
    return results[name];
  };
  const file = await api.add('hello world\n');
  await record('add', () => text(file.cid));
  await record('addAll', async () =>
    (
      await collect(
        api.addAll([
          { path: 'd/a', content: 'a' },
          { path: 'd/b', content: 'b' },
        ]),
      )
    ).map((each) => each.path),
  );
  await record('cat', () => joined(api.cat(file.cid)));
  await record('cat range', () => joined(api.cat(file.cid, { offset: 6, length: 5 })));
  await record('get', async () => (await joined(api.get(file.cid))).includes('hello world'));
  const directory = (
    await collect(
      api.addAll([
        { path: 'd/a', content: 'a' },
        { path: 'd/b', content: 'b' },
      ]),
    )
  ).at(-1);
  await record('ls', async () => (await collect(api.ls(directory.cid))).map((each) => each.name));
  const block = await api.block.put(new Uint8Array([1, 2, 3]), { format: 'raw' });
  await record('block.put', () => text(block));
  await record('block.get', async () => [...(await api.block.get(block))]);
  await record('block.stat', async () => (await api.block.stat(block)).size);
  await record('block.rm', async () =>
    (await collect(api.block.rm(block))).map((each) => each.error ?? text(each.cid)),
  );
  const node = await api.dag.put({ hello: 'world', link: file.cid });
  await record('dag.put', () => text(node));
  await record('dag.get', async () => (await api.dag.get(node)).value.hello);
  await record('dag.resolve', async () => text((await api.dag.resolve(node, { path: 'link' })).cid));
  const car = await collect(api.dag.export(node));
  await record('dag.export', () => Buffer.concat(car).length);
  await record('dag.import', async () => (await collect(api.dag.import([car]))).map(({ root }) => text(root.cid)));
  await record('pin.add', async () => text(await api.pin.add(node)));
  await record('pin.ls', async () => (await collect(api.pin.ls({ paths: node }))).map((each) => each.type));
  await record('pin.rm', async () => text(await api.pin.rm(node)));
  await record('repo.stat', async () => Number((await api.repo.stat()).numObjects) > 0);
  await record('version', async () => (await api.version()).version);
  await record('id', async () => text((await api.id()).id).slice(0, 8));
  await record('bad CID', () => joined(api.cat('notacid')));

  // A file whose last leaf is gone: does the client notice?
  const size = 3 * 262144;
  const content = new Uint8Array(size).map((_byte, index) => 97 + Math.floor(index / 262144));
  const { cid } = await api.add(content, { pin: false });
  await collect(api.block.rm('QmQZ3JEYuakfmd8yqHWLUwUEZHG8tpRdDA3RrCfcv28rcC'));
  await record('cat of a file without its last leaf', async () => (await joined(api.cat(cid))).length);
  return results;
}

const kubo = await import('kubo-rpc-client');
const ipfs = await import('ipfs-http-client');
process.stdout.write(
  `\n${JSON.stringify({ 'kubo-rpc-client': await drive(kubo.create), 'ipfs-http-client': await drive(ipfs.create) })}\n`,
);
process.exit(0);
