import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { announceKeystead, type AnnouncedProvider } from '../../../src/provider';
import { openPage } from '../../support/page';

describe('announcing (EIP-6963)', () => {
  let page: ReturnType<typeof openPage>;
  let announced: AnnouncedProvider[];
  const askForProviders = (): void => {
    page.page.dispatchEvent(new Event('eip6963:requestProvider'));
  };
  beforeEach(() => {
    page = openPage();
    announced = [];
    page.page.addEventListener('eip6963:announceProvider', (event) => {
      announced.push((event as CustomEvent<AnnouncedProvider>).detail);
    });
  });
  afterEach(() => {
    page.close();
  });

  it('announces the same provider at once and at every request', () => {
    const { provider, info } = announceKeystead();
    askForProviders();
    expect(announced).toHaveLength(2);
    expect(announced[1]).toBe(announced[0]);
    expect(announced[0]?.provider).toBe(provider);
    expect(info).toMatchObject({ name: 'Keystead', rdns: 'app.keystead' });
    expect(Object.isFrozen(announced[0]) && Object.isFrozen(info)).toBe(true);
  });

  it('has a new random UUID each time', () => {
    const uuids = Array.from({ length: 64 }, () => {
      const { info, stop } = announceKeystead();
      stop();
      return info.uuid;
    });
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(new Set(uuids).size).toBe(64);
  });

  it('carries the icon of the repository', () => {
    const { icon } = announceKeystead().info;
    expect(icon).toMatch(/^data:image\/svg\+xml,/u);
    const file = readFileSync(join(__dirname, '../../../images/icon.svg'), 'utf8');
    expect(decodeURIComponent(icon.slice(icon.indexOf(',') + 1))).toBe(file);
  });

  it('stops on request', () => {
    announceKeystead().stop();
    announced.length = 0;
    askForProviders();
    expect(announced).toEqual([]);
  });

  it('rejects an unknown option', () => {
    expect(() => announceKeystead({ snap: 'npm:keystead' } as never)).toThrow('snap: must be one of the options');
    askForProviders();
    expect(announced).toEqual([]);
  });

  it('is refused outside a web page', () => {
    page.close();
    expect(() => announceKeystead()).toThrow(/only be announced in a web page/u);
  });
});

it('has no side effects on import', async () => {
  const page = openPage();
  const listen = jest.spyOn(page.page, 'addEventListener');
  const dispatch = jest.spyOn(page.page, 'dispatchEvent');
  const timer = jest.spyOn(globalThis, 'setTimeout');
  const network = jest.spyOn(globalThis, 'fetch');
  await jest.isolateModulesAsync(async () => {
    await import('../../../src/provider');
  });
  for (const use of [listen, dispatch, timer, network]) expect(use).not.toHaveBeenCalled();
  page.close();
});
