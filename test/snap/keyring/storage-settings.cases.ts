import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';

import { useEmptiedSnap } from '../../support/wallet/emptied';
import { installKeystead } from '../../support/wallet/installed';
import { approved, SECRET, useBackupWorld } from '../backup-world';

const world = useBackupWorld();
const start = useEmptiedSnap(installKeystead);

describe('keystead_setStorage', () => {
  it('shows the settings, tests them, and stores them; the secret is in no response and on no screen', async () => {
    const keystead = await start();
    expect((await keystead.call('keystead_getStorage')).result).toBeNull();
    const first = await approved(keystead, 'keystead_setStorage', world().settings());
    expect(first.result).toEqual({ url: world().front.url, key: 'a-key' });
    expect(first.said).toContain(world().front.url);
    expect((await keystead.call('keystead_getStorage')).result).toEqual({ url: world().front.url, key: 'a-key' });
    const change = await approved(keystead, 'keystead_setStorage', { ...world().settings(), url: world().storage.url });
    expect(change.said).toContain(`Old ${world().front.url} New ${world().storage.url}`);
    expect(change.said).toContain('Secret access key unchanged');
    const page = (await keystead.snap.onHomePage()).getInterface().content;
    expect(JSON.stringify([first, change, page])).not.toContain(SECRET);
  });

  it('sends nothing before the user has agreed, and stores nothing if they reject', async () => {
    const keystead = await start({ mayKeep: ['storage'] });
    const stored = (await keystead.call('keystead_getStorage')).result;
    const before = world().front.requests.length;
    const request = keystead.send('keystead_setStorage', world().settings());
    await (await request.getInterface()).cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
    expect(world().front.requests.length).toBe(before);
    expect((await keystead.call('keystead_getStorage')).result).toEqual(stored);
  });

  it('stores nothing that the service rejects, and does not repeat the message of the service', async () => {
    const keystead = await start({ mayKeep: ['storage'] });
    const stored = (await keystead.call('keystead_getStorage')).result;
    const wrong = await approved(keystead, 'keystead_setStorage', { ...world().settings(), secret: 'wrong secret' });
    expect(wrong.error).toMatchObject({
      code: -32002,
      message: `The storage service at ${new URL(world().front.url).host} did not accept the key and secret (HTTP 403).`,
    });
    world().front.answer((_request, response) => {
      response.writeHead(500).end(`you sent ${SECRET}`);
    });
    const echoed = await approved(keystead, 'keystead_setStorage', world().settings());
    expect(echoed.error?.message).toContain('rejected the request (HTTP 500)');
    expect(JSON.stringify([wrong, echoed])).not.toMatch(/wrong secret|no screen/u);
    expect((await keystead.call('keystead_getStorage')).result).toEqual(stored);
  });

  it.each<[string, object, string]>([
    ['http', { url: 'http://storage.example' }, 'params.url: must be an https URL'],
    ['a private network', { url: 'https://10.0.0.1' }, 'params.url: must be an https URL'],
    ['a user name in the address', { url: 'https://me@storage.example' }, 'params.url: must be an https URL'],
    ['a query', { url: 'https://storage.example/?a=b' }, 'params.url: must be a URL without a query'],
    ['a colon in the key', { key: 'a:b' }, 'params.key: must be 1 to 256 visible ASCII characters without a colon'],
    ['no key', { key: '' }, 'params.key: must be 1 to 256 visible ASCII characters without a colon'],
    ['a line break in the secret', { secret: 'top\nsecret' }, 'params.secret: must be 1 to 256 characters'],
    ['a secret that is no text', { secret: 5 }, 'params.secret: must be 1 to 256 characters'],
    ['something else', { password: 'top secret' }, 'params.password: is not a known field'],
  ])('refuses %s', async (_name, wrong, message) => {
    const { call } = await start({ mayKeep: ['storage'] });
    const { error } = await call('keystead_setStorage', { ...world().settings(), ...wrong } as Json);
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toContain(message);
    expect(JSON.stringify(error)).not.toMatch(/top|no screen/u);
  });
});
