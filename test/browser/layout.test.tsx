/** @jsxImportSource @metamask/snaps-sdk */
import {
  Address,
  Banner,
  Box,
  Checkbox,
  CollapsibleSection,
  Copyable,
  type JSXElement,
  Radio,
  RadioGroup,
  Row,
  type SnapComponent,
  Text,
} from '@metamask/snaps-sdk/jsx';
import { type Browser, type Locator, type Page } from 'playwright-core';

import { type Explanation } from '../../src/core/decode/explanation';
import { ConfirmFailureScreen, ConfirmSignatureScreen } from '../../src/snap/screens/confirm-signature';
import { describeWithChromium, startChromium } from '../support/chromium';
import { drawnFaults } from '../support/drawn-faults';
import { SIMULATED_SCREEN, SimulatedScreens } from '../support/browser/simulated-screens';

const ADDRESS = '0xC72E67790B356e391Ec48446F9A1724b9932A6af';
const HEX = `0x${'ab'.repeat(64)}`;
/** More than fits into any window of these tests. */
const LONG = Array.from({ length: 20 }, (_, index) => <Text>{`Line ${index + 1}`}</Text>);

const AddressRow: SnapComponent<{ label: string }> = ({ label }) => (
  <Row label={label}>
    <Address address={ADDRESS} truncate={false} displayName={false} />
  </Row>
);

const EXPLANATION: Explanation = {
  title: 'Send 1.5 ETH',
  changes: [{ kind: 'text', label: 'You send', value: '1.5 ETH' }],
  main: [{ kind: 'address', label: 'To', value: ADDRESS }],
  lines: [
    { kind: 'address', label: 'Contract', value: ADDRESS },
    { kind: 'text', label: 'Paymaster data', value: HEX },
  ],
  sections: [],
  warnings: Array.from(
    { length: 12 },
    () => 'You have never sent anything to this address before. Check it with its owner.',
  ),
  dangers: [],
  network: 'Keystead devnet',
  fee: 'up to 0.000021 ETH',
};
const OURS: readonly (readonly [string, JSXElement])[] = [
  [
    'a signature',
    <ConfirmSignatureScreen
      explanation={EXPLANATION}
      account={{ name: 'Keystead 1', address: ADDRESS }}
      origin="https://a-site-with-a-rather-long-name.example.com"
    />,
  ],
  ['a failure', <ConfirmFailureScreen title="Send 1.5 ETH" failure={'The account has too little. '.repeat(40)} />],
];

describeWithChromium('the simulated wallet draws as MetaMask does', () => {
  let browser: Browser;
  let page: Page;
  let screens: SimulatedScreens;
  beforeAll(async () => {
    browser = await startChromium();
    page = await browser.newPage();
    screens = await SimulatedScreens.open(page);
  }, 120_000);
  afterAll(() => browser.close());

  const show = (content: JSXElement, width = 360): Promise<Locator> => screens.show(content, { width, height: 600 });
  const faultsOf = async (content: JSXElement, width?: number): Promise<string[]> => {
    await show(content, width);
    return drawnFaults(page, SIMULATED_SCREEN);
  };
  /** The pixels between two texts, from the end of the first to the start of the second. */
  const gapBetween = async (screen: Locator, before: string, after: string): Promise<number> => {
    const [a, b] = await Promise.all([before, after].map((text) => screen.getByText(text).boundingBox()));
    return b!.y - (a!.y + a!.height);
  };

  it('prints over the second line of a Row in the root Box if the window is too small', async () => {
    const faulty = (
      <Box>
        <AddressRow label="Address" />
        <Row label="Network">
          <Text>Keystead devnet</Text>
        </Row>
        {LONG}
      </Box>
    );
    expect(await faultsOf(faulty)).toEqual([
      `“${ADDRESS}” and “Network” are printed over each other`,
      `“${ADDRESS}” and “Keystead devnet” are printed over each other`,
    ]);
  });

  it.each([
    [
      'the window is large enough',
      <Box>
        <AddressRow label="Address" />
        <AddressRow label="Owner" />
      </Box>,
    ],
    [
      'they are in a Box of their own',
      <Box>
        <Box>
          <AddressRow label="Address" />
          <AddressRow label="Owner" />
        </Box>
        {LONG}
      </Box>,
    ],
  ])('does not print over Rows if %s', async (_when, screen) => {
    expect(await faultsOf(screen)).toEqual([]);
  });

  it('lets a long word in a Row leave the screen, but neither an address nor a word outside a Row', async () => {
    const row = (
      <Box>
        <Box>
          <Row label="Data">
            <Text>{HEX}</Text>
          </Row>
        </Box>
      </Box>
    );
    expect(await faultsOf(row)).toEqual([`“${HEX}” leaves the screen`]);
    const others = (
      <Box>
        <Text>{HEX}</Text>
        <Copyable value={HEX} />
        <Box>
          <AddressRow label="Address" />
        </Box>
      </Box>
    );
    expect(await faultsOf(others)).toEqual([]);
  });

  it.each([
    ['a section', (<CollapsibleSection label={HEX}>{<Text>Inside</Text>}</CollapsibleSection>) as JSXElement],
    ['a checkbox', <Checkbox name="choice" label={HEX} />],
    [
      'a radio button',
      <RadioGroup name="choices">
        <Radio value="a">{HEX}</Radio>
      </RadioGroup>,
    ],
    [
      'a banner (its title)',
      <Banner title={HEX} severity="warning">
        <Text>Inside</Text>
      </Banner>,
    ],
  ])('lets a long word in the label of %s leave the screen', async (_name, element) => {
    expect(await faultsOf(<Box>{element}</Box>)).toEqual([`“${HEX}” leaves the screen`]);
  });

  it.each([
    [
      'finds text that is printed over buttons below what is scrolled',
      '-20px',
      ['“Line 5” and “Approve” are printed over each other'],
    ],
    ['takes no text that is scrolled out of sight for text under buttons', '0', []],
  ])('%s', async (_name, top, faults) => {
    const lines = Array.from({ length: 20 }, (_, index) => `<div style="height: 20px">Line ${index + 1}</div>`);
    await page.setContent(
      `<div class="${SIMULATED_SCREEN}"><div style="height: 100px; overflow: auto">${lines.join('')}</div>` +
        `<div style="position: relative; top: ${top}; height: 20px">Approve</div></div>`,
    );
    expect(await drawnFaults(page, SIMULATED_SCREEN)).toEqual(faults);
  });

  it('leaves a gap for an empty Box', async () => {
    const around = (middle: readonly JSXElement[]) => (
      <Box>{[<Text>Before</Text>, ...(middle as ReturnType<typeof Text>[]), <Text>After</Text>]}</Box>
    );
    const usual = await gapBetween(await show(around([])), 'Before', 'After');
    const empty = await gapBetween(await show(around([<Box>{[]}</Box>])), 'Before', 'After');
    expect([usual, empty]).toEqual([16, 32]);
  });

  it('leaves nothing between the label of a section and its mark', async () => {
    const label = 'A label that is exactly as long as it takes to fill the line';
    const screen = await show(
      <Box>
        <CollapsibleSection label={label}>
          <Text>Inside</Text>
        </CollapsibleSection>
      </Box>,
    );
    const gap = await screen.locator('summary').evaluate((summary) => {
      type Styles = { getComputedStyle: (element: unknown) => { columnGap: string } };
      return (globalThis as unknown as Styles).getComputedStyle(summary).columnGap;
    });
    expect(gap).toBe('normal');
  });

  describe.each([360, 400, 1280])('%i px wide', (width) => {
    it.each(OURS)('draws our screen of %s without faults', async (_name, content) => {
      expect(await faultsOf(content, width)).toEqual([]);
    });
  });
});
