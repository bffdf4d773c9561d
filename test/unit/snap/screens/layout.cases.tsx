import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as oldest from '@metamask/snaps-sdk/jsx';
import {
  Banner,
  Box,
  Checkbox,
  CollapsibleSection,
  Divider,
  Radio,
  RadioGroup,
  Row,
  Text,
} from '@metamask/snaps-sdk/jsx';
import * as newest from 'snaps-sdk-newest/jsx';

import { layoutFaults, LONGEST_WORD } from '../../../support/screen-layout';
import { textOf } from '../../../support/screen-text';
import { SCREENS, TEXTS } from '../../../support/snap-screens';

const UI = join(__dirname, '../../../../src/snap/screens');
describe('the check of the layout', () => {
  it('finds a Row or a Divider in the root Box, empty containers, and long words beside a label', () => {
    const long = 'x'.repeat(LONGEST_WORD + 1);
    expect(
      layoutFaults(
        <Box>
          <Row label="Network">
            <Text>Sepolia</Text>
          </Row>
          <Divider />
          <Box>{null}</Box>
          <CollapsibleSection label="Details">
            <Box>{[]}</Box>
          </CollapsibleSection>
          <Box>
            <Row label="Transaction hash">
              <Text>{`is ${long}`}</Text>
            </Row>
            <Row label={long}>
              <Text>a</Text>
            </Row>
          </Box>
          <CollapsibleSection label={`1 ${long}`}>
            <Text>a</Text>
          </CollapsibleSection>
          <Checkbox name="choice" label={long} />
          <RadioGroup name="choices">
            <Radio value="a">{long}</Radio>
          </RadioGroup>
          <Banner title={long} severity="info">
            <Text>a</Text>
          </Banner>
        </Box>,
      ),
    ).toEqual([
      'a Row in the root Box: Network',
      'a Divider in the root Box: ',
      'an empty Box',
      'an empty Box',
      `a long word in a Row: ${long}`,
      `a long word in a Row: ${long}`,
      `a long word in the label of a CollapsibleSection: ${long}`,
      `a long word in the label of a Checkbox: ${long}`,
      `a long word in the label of a Radio: ${long}`,
      `a long word in the label of a Banner: ${long}`,
    ]);
  });

  it('covers every screen of the snaps', () => {
    const names = readdirSync(UI, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx'))
      .flatMap((path) => readFileSync(join(UI, path), 'utf8').match(/(?<=export const )\w+Screen\b/gu) ?? []);
    expect(Object.keys(SCREENS).sort()).toEqual(names.sort());
  });
});

describe.each(Object.entries(TEXTS))('with %s texts', (_length, texts) => {
  it.each(Object.entries(SCREENS))('%s is laid out as MetaMask needs it', (_name, screens) => {
    for (const screen of screens(texts)) expect(layoutFaults(screen)).toEqual([]);
  });

  it.each(Object.entries(SCREENS))('%s is a screen to the oldest and to the newest SDK', (_name, screens) => {
    for (const screen of screens(texts)) {
      // A wallet gets JSON.
      const sent = JSON.parse(JSON.stringify(screen)) as unknown;
      expect([oldest.isJSXElement(sent), newest.isJSXElement(sent)]).toEqual([true, true]);
    }
  });
});

describe('with HTML entities, which MetaMask decodes in some components', () => {
  const entity = 'R&D &rdquo; &#x202e; &amp;lt; &copy';
  const texts = { word: entity, origin: `https://a.io/${entity}`, url: `https://a.io/${entity}`, name: entity };

  it('the check finds a text that MetaMask would draw differently', () => {
    expect(() => textOf(<Text>{entity}</Text>)).toThrow('MetaMask may decode a part of');
    const encoded = (
      <Row label={'&copy;'}>
        <Text>{'&amp;copy;'}</Text>
      </Row>
    );
    expect(textOf(encoded)).toBe('&copy; &copy;');
  });

  it.each(Object.entries(SCREENS))('%s shows them as they are', (_name, screens) => {
    const plain = screens({ word: 'zzz', origin: 'https://a.io/zzz', url: 'https://a.io/zzz', name: 'zzz' });
    for (const [index, screen] of screens(texts).entries()) {
      const shown = textOf(screen);
      const times = (text: string, part: string): number => text.split(part).length - 1;
      expect(times(shown, entity)).toBe(times(textOf(plain[index]), 'zzz'));
      expect(times(shown, '&')).toBe(times(shown, entity) * times(entity, '&'));
    }
  });
});
