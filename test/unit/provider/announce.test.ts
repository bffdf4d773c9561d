import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { announceKeystead, type AnnouncedProvider } from '../../../src/provider';
import { openPage } from '../../helpers/page';

describe('announcing (EIP-6963)', () => {
  let page: ReturnType<typeof openPage>;
  let heard: AnnouncedProvider[];
  const askForProviders = (): void => {
    page.page.dispatchEvent(new Event('eip6963:requestProvider'));
  };
  beforeEach(() => {
    page = openPage();
    heard = [];
    page.page.addEventListener('eip6963:announceProvider', (event) => {
      heard.push((event as CustomEvent<AnnouncedProvider>).detail);
    });
  });
  afterEach(() => {
    page.close();
  });

  it('tells at once and whenever it is asked, always the same', () => {
    const { provider, info } = announceKeystead();
    askForProviders();
    expect(heard).toHaveLength(2);
    expect(heard[1]).toBe(heard[0]);
    expect(heard[0]?.provider).toBe(provider);
    expect(info).toMatchObject({ name: 'Keystead', rdns: 'app.keystead' });
    expect(Object.isFrozen(heard[0]) && Object.isFrozen(info)).toBe(true);
  });

  it('has another UUID each time, of random bits', () => {
    const uuids = Array.from({ length: 64 }, () => announceKeystead().info.uuid);
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(new Set(uuids).size).toBe(64);
  });

  it('shows the icon of the repository', () => {
    const { icon } = announceKeystead().info;
    expect(icon).toMatch(/^data:image\/svg\+xml,/u);
    const file = readFileSync(join(__dirname, '../../../images/icon.svg'), 'utf8');
    expect(decodeURIComponent(icon.slice(icon.indexOf(',') + 1))).toBe(file);
  });

  it('stops', () => {
    announceKeystead().stop();
    heard.length = 0;
    askForProviders();
    expect(heard).toEqual([]);
  });

  it('is not done with an option that there is not', () => {
    expect(() => announceKeystead({ snap: 'npm:keystead' } as never)).toThrow('snap: must be left out');
    askForProviders();
    expect(heard).toEqual([]);
  });

  it('is refused where there is no page', () => {
    page.close();
    expect(() => announceKeystead()).toThrow(/There is no page here/u);
  });
});

it('nothing starts by import alone', async () => {
  const page = openPage();
  const listen = jest.spyOn(page.page, 'addEventListener');
  const tell = jest.spyOn(page.page, 'dispatchEvent');
  const timer = jest.spyOn(globalThis, 'setTimeout');
  const network = jest.spyOn(globalThis, 'fetch');
  await jest.isolateModulesAsync(async () => {
    await import('../../../src/provider');
  });
  for (const use of [listen, tell, timer, network]) expect(use).not.toHaveBeenCalled();
  page.close();
});
