import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { listenOnLoopback } from '../../src/devnet/loopback';
import { sendFile } from '../../src/devnet/static-files';

test('a file that disappears while it is being requested breaks only that response', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-'));
  const file = join(folder, 'page.js');
  const { url, stop } = await listenOnLoopback(0, (request, response) => {
    sendFile(folder, request, response);
    rmSync(file, { force: true });
  });
  try {
    writeFileSync(file, 'export {};');
    await expect(fetch(`${url}/page.js`).then((answer) => answer.text())).rejects.toThrow();
    writeFileSync(join(folder, 'index.html'), '<p>here</p>');
    expect(await (await fetch(url)).text()).toBe('<p>here</p>');
  } finally {
    await stop();
    rmSync(folder, { recursive: true });
  }
});
