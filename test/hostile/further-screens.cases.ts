/** What the screens of the requests in further-requests.ts must say at once. */
import { FRIEND } from '../support/hostile/cast';
import { ScreenWorld } from '../support/screen-world';
import { FURTHER } from './further-requests';

let world: ScreenWorld;
beforeAll(async () => {
  world = await ScreenWorld.start([FRIEND]);
});

describe.each(Object.entries(FURTHER))('%s', (_kind, all) => {
  it.each(all)('$name', async ({ ask, says, danger, title, not, message, isPlain, prepare }) => {
    const restore = prepare?.(world);
    const screen = await ask(world).finally(restore);
    for (const text of says) expect(screen.text).toMatch(text);
    if (danger === null) expect(screen.dangers).toEqual([]);
    else if (danger !== undefined) expect(screen.dangers.join('\n')).toMatch(danger);
    if (title !== undefined) expect(screen.title).toMatch(title);
    if (not !== undefined) expect(screen.text).not.toMatch(not);
    if (message === undefined || isPlain === true) return;
    const asked = await world.fromWallet('eth_signTypedData_v4', [world.eoa.address, message as never], '');
    expect(asked).toBeDefined();
  });
});
