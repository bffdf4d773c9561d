import { openLines, withoutSaid } from '../../../../src/core/decode/open-lines';
import { type Explanation } from '../../../../src/core/decode/explanation';
import { previewedBy } from '../../../../src/core/decode/previewed-by';
import { text } from '../../../../src/core/decode/words/lines';
import { BOB } from '../../../support/explaining';

const DANGER = {
  code: 'everything',
  text: 'This takes it. Reject it unless you want to give away all of it.',
} as const;
const SHOWN: Explanation = {
  title: 'Send 1 ETH',
  changes: [text('You send', '1 ETH')],
  main: [{ kind: 'address', label: 'To', value: BOB }],
  network: 'Ethereum',
  fee: 'up to 1 ETH',
  lines: [text('Nonce', '1')],
  sections: [],
  body: { label: 'Message', text: 'hello', isMessage: true },
  warnings: ['Take care.'],
  dangers: [DANGER],
};
const { network: _network, fee: _fee, body: _body, ...BARE } = SHOWN;

describe('the lines on the open part of a screen', () => {
  it('are the title, the network, the fee, the message, alarms and rows, each once', () => {
    expect(openLines(SHOWN)).toHaveLength(8);
    expect(new Set(openLines(SHOWN)).size).toBe(8);
    expect(openLines(BARE)).toHaveLength(5);
    // Raw data is not on the open part.
    expect(openLines({ ...SHOWN, body: { label: 'Data', text: '0x12' } })).toHaveLength(7);
  });

  it('are left out of what is said again, except for a danger, which gives no more advice', () => {
    expect(withoutSaid(SHOWN, openLines(SHOWN))).toEqual({
      ...BARE,
      dangers: [{ ...DANGER, text: 'This takes it.' }],
      warnings: [],
      changes: [],
      main: [],
    });
  });

  it('are all said if none was shown', () => {
    expect(withoutSaid(SHOWN, [])).toEqual(SHOWN);
    expect(withoutSaid(BARE, [])).toEqual(BARE);
    expect(withoutSaid(BARE, openLines(SHOWN))).not.toHaveProperty('network');
  });

  it.each<[keyof Explanation, Partial<Explanation>]>([
    ['network', { network: 'Base' }],
    ['fee', { fee: 'up to 2 ETH' }],
    ['body', { body: { label: 'Message', text: 'other', isMessage: true } }],
    ['warnings', { warnings: ['Take more care.'] }],
    ['changes', { changes: [text('You send', '2 ETH')] }],
    ['main', { main: [text('To', 'somebody')] }],
    ['dangers', { dangers: [{ ...DANGER, text: 'This takes more.' }] }],
  ])('are said again if they differ: %s', (part, more) => {
    expect(withoutSaid({ ...SHOWN, ...more }, openLines(SHOWN))[part]).toEqual(more[part]);
  });
});

describe('the node of a preview', () => {
  it('is named by its host, with the site that added it', () => {
    const rpcUrl = 'https://node.example:8545/secret-key';
    expect(previewedBy({ rpcUrl })).toEqual({ name: 'node.example:8545' });
    expect(previewedBy({ rpcUrl, nodeFrom: 'https://dapp.example' })).toEqual({
      name: 'node.example:8545',
      addedBy: 'https://dapp.example',
    });
  });
});
