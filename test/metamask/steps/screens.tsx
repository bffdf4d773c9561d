import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import {
  Address,
  Banner,
  Box,
  Checkbox,
  CollapsibleSection,
  type JSXElement,
  Radio,
  RadioGroup,
  Row,
  Text,
} from '@metamask/snaps-sdk/jsx';
import { type Locator, type Page } from 'playwright-core';

import { SIMULATED_SCREEN, SimulatedScreens } from '../../support/browser/simulated-screens';
import { drawnFaults } from '../../support/drawn-faults';
import { SCREENS, TEXTS } from '../../support/snap-screens';
import { SNAP_SCREEN } from '../../support/metamask/metamask';
import { type Run } from '../../support/metamask/run';
import { serveScreensSnap } from '../../support/metamask/screens-snap';
import { type ServedSnap } from '../../support/metamask/snap-server';

const WIDTHS = [360, 400, 1280] as const;
const HEIGHT = 600;
/** Higher than the longest screen. */
const WHOLE = 2_400;
const HEX = `0x${'ab'.repeat(64)}`;
const LONG = Array.from({ length: 20 }, (_, index) => <Text>{`Line ${index + 1}`}</Text>);
const AddressRow = ({ label }: { readonly label: string }) => (
  <Row label={label}>
    <Address address="0xC72E67790B356e391Ec48446F9A1724b9932A6af" truncate={false} displayName={false} />
  </Row>
);

/** Screens that we do not make, because MetaMask draws them badly; and one that it does not. */
const SPECIMENS: Readonly<Record<string, JSXElement>> = {
  'Rows in the root Box': (
    <Box>
      <AddressRow label="Address" />
      <Row label="Network">
        <Text>Keystead devnet</Text>
      </Row>
      {LONG}
    </Box>
  ),
  'Rows in a Box of their own': (
    <Box>
      <Box>
        <AddressRow label="Address" />
        <AddressRow label="Owner" />
      </Box>
      {LONG}
    </Box>
  ),
  'a long word in a Row': (
    <Box>
      <Box>
        <Row label="Data">
          <Text>{HEX}</Text>
        </Row>
      </Box>
    </Box>
  ),
  'a long word in the label of a section': (
    <Box>
      <CollapsibleSection label={`1 ${HEX}`}>
        <Text>Inside</Text>
      </CollapsibleSection>
    </Box>
  ),
  'a long word in the label of a checkbox': (
    <Box>
      <Checkbox name="choice" label={HEX} />
    </Box>
  ),
  'a long word in the label of a radio button': (
    <Box>
      <RadioGroup name="choices">
        <Radio value="a">{HEX}</Radio>
      </RadioGroup>
    </Box>
  ),
  'a long word in the title of a banner': (
    <Box>
      <Banner title={HEX} severity="warning">
        <Text>Inside</Text>
      </Banner>
    </Box>
  ),
  'a long word outside a Row': (
    <Box>
      <Text>{HEX}</Text>
    </Box>
  ),
};

/** The folder for a picture of each screen, if somebody wants to look at them. */
const PICTURES = process.env['METAMASK_PICTURES'];

/** Every screen of ours, as MetaMask draws it and as the simulated wallet does. */
export function screenSteps(run: Run): void {
  describe('our screens', () => {
    let served: ServedSnap;
    let dialog: Page;
    let simulated: SimulatedScreens;

    const ask = (method: string, content: JSXElement): Promise<unknown> => {
      const request = { method, params: JSON.parse(JSON.stringify(content)) as unknown };
      return run.site.read('wallet_invokeSnap', { snapId: served.snapId, request });
    };
    const screen = (): Locator => dialog.locator(`.${SNAP_SCREEN}`).filter({ visible: true }).first();
    /** The screen in a popup, light and dark, and all of it. */
    const picture = async (name: string, width: number): Promise<void> => {
      if (PICTURES === undefined) return;
      mkdirSync(PICTURES, { recursive: true });
      const take = async (kind: string, colorScheme: 'light' | 'dark', height: number): Promise<void> => {
        await dialog.emulateMedia({ colorScheme });
        await dialog.setViewportSize({ width, height });
        await dialog.locator(`html[data-theme="${colorScheme}"]`).waitFor({ state: 'attached' });
        await dialog.screenshot({ path: join(PICTURES, `${name} ${width} ${kind}.png`) });
      };
      await take('dark', 'dark', HEIGHT);
      await take('whole', 'light', WHOLE);
      await take('light', 'light', HEIGHT);
    };
    /** The screen with a text below it. A screen with a footer is a `Container`, which must be the outermost part. */
    const withMark = (content: JSXElement, mark: string): JSXElement => {
      if (content.type !== 'Container') return <Box>{[content, <Text>{mark}</Text>]}</Box>;
      const [inner, footer] = content.props.children as [JSXElement, JSXElement];
      return { ...content, props: { ...content.props, children: [withMark(inner, mark), footer] } } as JSXElement;
    };
    /** Has MetaMask show a screen in the open dialog. */
    const show = async (content: JSXElement, mark: string): Promise<void> => {
      await ask('show', withMark(content, mark));
      await screen().getByText(mark, { exact: true }).waitFor();
      await ask('show', content);
      await screen().getByText(mark, { exact: true }).waitFor({ state: 'detached' });
    };

    beforeAll(async () => {
      run.sharesDialog = true;
      served = await serveScreensSnap();
      await run.site.ask('wallet_requestSnaps', { [served.snapId]: {} });
      // Answered when the dialog is closed, or not at all if the browser is closed before.
      ask('open', <Text>Screens</Text>).catch(() => undefined);
      dialog = await run.metamask.openDialog();
      simulated = await SimulatedScreens.open(await run.metamask.context.newPage());
    });
    afterAll(async () => {
      run.sharesDialog = false;
      await dialog.close();
      await simulated.page.close();
      await served.stop();
    });

    const inMetaMask = async (content: JSXElement, name: string): Promise<readonly string[]> => {
      await show(content, `mark of ${name}`);
      const faults: string[] = [];
      for (const width of WIDTHS) {
        await dialog.setViewportSize({ width, height: HEIGHT });
        faults.push(...(await drawnFaults(dialog, SNAP_SCREEN)).map((fault) => `${width}: ${fault}`));
        await picture(name, width);
      }
      return faults;
    };
    const inSimulatedWallet = async (content: JSXElement): Promise<readonly string[]> => {
      const faults: string[] = [];
      for (const width of WIDTHS) {
        await simulated.show(content, { width, height: HEIGHT });
        faults.push(...(await drawnFaults(simulated.page, SIMULATED_SCREEN)).map((fault) => `${width}: ${fault}`));
      }
      return faults;
    };

    it.each(Object.entries(SPECIMENS))('has the same faults in the simulated wallet: %s', async (name, content) => {
      expect(await inSimulatedWallet(content)).toEqual(await inMetaMask(content, name));
    });

    describe.each(Object.entries(TEXTS))('with %s texts', (length, texts) => {
      it.each(Object.entries(SCREENS))('%s has no faults', async (name, screens) => {
        for (const [index, content] of screens(texts).entries())
          expect(await inMetaMask(content, `${name} ${index + 1} ${length}`)).toEqual([]);
      });
    });
  });
}
