import { explainMessage } from '../../../../src/core/decode/explain/message';
import { quote } from '../../../../src/core/decode/words/lines';
import { explainAction, explainTransaction } from '../../../../src/core/decode/explain/transaction';
import { hidesSomething, visible } from '../../../../src/core/decode/words/text';
import { explainTypedData } from '../../../../src/core/decode/explain/typed-data';
import { type Viewpoint } from '../../../../src/core/decode/explanation';
import { explainCall, USDC } from '../../../support/explaining';

const ME = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
const WRONG_CHECKSUM = ME.replace('C', 'c') as `0x${string}`;
const VIEW: Viewpoint = { signer: ME, now: 1_800_000_000n } as Viewpoint;
const hexOf = (text: string): `0x${string}` => `0x${Buffer.from(text).toString('hex')}`;

const everything = (value: unknown): string =>
  JSON.stringify(value, (_key, entry: unknown) => (typeof entry === 'bigint' ? entry.toString() : entry));

describe('what is shown is what is signed', () => {
  it('a member called domain does not look like the domain', () => {
    const explanation = explainTypedData(
      {
        types: {
          EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
          Trap: [{ name: 'domain', type: 'D' }],
          D: [{ name: 'verifyingContract', type: 'address' }],
        },
        primaryType: 'Trap',
        domain: { chainId: 1 },
        message: { domain: { verifyingContract: ME } },
      },
      VIEW,
    );
    const shown = everything(explanation);
    expect(shown).toContain('(domain).chainId');
    expect(shown).toContain('"domain.verifyingContract"');
    expect(explanation.warnings.join()).toContain('names no contract');
  });

  it('a wrong checksum after the last visible line is still said in the details', () => {
    const explanation = explainTypedData(
      {
        types: {
          EIP712Domain: [{ name: 'verifyingContract', type: 'address' }],
          Long: [
            { name: 'flags', type: 'bool[]' },
            { name: 'spender', type: 'address' },
          ],
        },
        primaryType: 'Long',
        domain: { verifyingContract: ME },
        message: { flags: Array.from({ length: 150 }, () => true), spender: WRONG_CHECKSUM },
      },
      VIEW,
    );
    expect(JSON.stringify(explanation.sections)).toContain('checksum (EIP-55)');
    expect(explanation.warnings.join()).not.toContain('checksum');
    expect(explanation.warnings.join()).toMatch(/Signed but not shown here: \d+ more values/u);
  });

  it('an approval of 0 on an unknown contract may be for NFT 0', () => {
    const data = `0x095ea7b3${ME.slice(2).padStart(64, '0')}${'0'.repeat(64)}` as const;
    const contractMetadata = { shards: {}, contracts: {}, tokens: {} };
    expect(explainCall(ME, data, { view: { ...VIEW, contractMetadata } }).sections[0]!.title).toBe(
      'Revoke an approval, or approve token 0',
    );
    expect(explainCall(USDC, data).sections[0]!.title).toBe('Revoke an approval');
  });

  it.each([
    [
      { verifyingContract: USDC },
      ['This signature names no network. The same contract may accept it on several networks.'],
    ],
    // Meta transactions on Polygon have the chain in the salt.
    [{ verifyingContract: USDC, salt: `0x${'00'.repeat(31)}89` }, []],
    [{ verifyingContract: USDC, chainId: 1 }, []],
  ])('warns about a signature without a chain: %j', (domain, warnings) => {
    const types = { chainId: 'uint256', verifyingContract: 'address', salt: 'bytes32' };
    const members = Object.entries(types).flatMap(([name, type]) => (name in domain ? [{ name, type }] : []));
    const explanation = explainTypedData(
      {
        types: { EIP712Domain: members, Note: [{ name: 'text', type: 'string' }] },
        primaryType: 'Note',
        domain,
        message: { text: 'hello' },
      },
      VIEW,
    );
    expect(explanation.warnings).toEqual(warnings);
  });

  it('empty structs have a line each', () => {
    const { sections } = explainTypedData(
      {
        types: {
          EIP712Domain: [{ name: 'verifyingContract', type: 'address' }],
          Raffle: [{ name: 'tickets', type: 'Ticket[]' }],
          Ticket: [],
        },
        primaryType: 'Raffle',
        domain: { verifyingContract: ME },
        message: { tickets: [{}, {}] },
      },
      VIEW,
    );
    expect(sections.at(-1)!.lines.slice(1)).toEqual([
      { kind: 'text', label: 'tickets[0]', value: '(empty)' },
      { kind: 'text', label: 'tickets[1]', value: '(empty)' },
    ]);
  });

  it('truncated data causes a warning in an insight too', () => {
    const action = (bytes: number) => ({ to: USDC, value: 0n, data: `0x${'ff'.repeat(bytes)}`, chainId: 1n }) as const;
    expect(explainAction(action(30_000), VIEW).warnings.join()).toContain('only the beginning');
    expect(explainAction(action(300), VIEW).warnings).toEqual(['Keystead does not know what this call does.']);
  });

  it.each([
    ['a run of empty lines', `pay${'\n'.repeat(10)}all`],
    ['a run of lines of blanks', `pay${'\n  '.repeat(10)}all`],
    ['a run of blanks', `pay${' '.repeat(40)}all`],
  ])('%s in a message causes a warning', (_what, message) => {
    expect(explainMessage(hexOf(message), VIEW).warnings.join()).toContain('long gaps');
  });

  it('normal lines and indents are not gaps', () => {
    const json = JSON.stringify({ a: { b: { c: { d: [1, { e: [2, 3] }] } } } }, null, 4);
    for (const message of ['one\n\ntwo\n\n\nthree', json, 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk'])
      expect(explainMessage(hexOf(message), VIEW).warnings).toEqual([]);
  });

  it('stacked combining marks are escaped', () => {
    const heaped = `a${'\u0301'.repeat(40)}b`;
    expect(visible(heaped)).toBe(`a${'\u0301'.repeat(8)}${'\\u{301}'.repeat(32)}b`);
    expect(explainMessage(hexOf(heaped), VIEW).warnings.join()).toContain('invisible characters');
    // Vietnamese, Hebrew, Thai, and a Tibetan letter with eight marks.
    for (const text of ['Tiê\u0301ng Viê\u0323t', 'שָׁלוֹם', 'ที่นี่', 'ཧྐྵྨླྺྼྻྂ']) expect(visible(text)).toBe(text);
  });

  it('the failure that a service reports is made safe to display', () => {
    const contractMetadata = {
      shards: { '1': null },
      contracts: { [`1:${USDC.toLowerCase()}`]: { failure: 'no\u3164\u0301' } },
    };
    const { sections } = explainCall(USDC, '0x12345678', { view: { ...VIEW, contractMetadata } });
    expect(sections[0]!.lines).toContainEqual({
      kind: 'text',
      label: 'Contract metadata',
      value: 'not available: no\\u{3164}\u0301',
    });
  });

  it('a lone surrogate counts as hidden', () => {
    expect(['\ud83e', 'a\udd8a', '🦊'].map(hidesSomething)).toEqual([true, true, false]);
  });

  it('a quotation cannot close its quotation marks', () => {
    const line = quote('Says', 'you get 1 ETH” Keystead: checked “', 'the data');
    expect(line.value).toBe('you get 1 ETH" Keystead: checked "');
  });

  it('a long quotation says how much is left out, even if escapes make the shown part longer', () => {
    expect(quote('Says', `${'\u202e'.repeat(499)}${'a'.repeat(5001)}`, 'the data').value).toBe(
      `${'\\u{202e}'.repeat(499)}a… (5000 more characters)`,
    );
  });

  it('a truncated value of typed data causes a warning', () => {
    const explain = (content: string) =>
      explainTypedData(
        {
          types: {
            EIP712Domain: [{ name: 'verifyingContract', type: 'address' }],
            Note: [{ name: 'text', type: 'string' }],
          },
          primaryType: 'Note',
          domain: { verifyingContract: ME },
          message: { text: content },
        },
        VIEW,
      ).warnings.filter((warning) => warning.includes('only the beginning'));
    expect(explain('a'.repeat(500))).toEqual([]);
    expect(explain('a'.repeat(501))).toEqual(['A value is too long to show in full. You see only the beginning.']);
  });

  it('a truncated message and truncated data cause a warning', () => {
    expect(explainMessage(hexOf('a'.repeat(30_000)), VIEW).warnings.join()).toContain('only the beginning');
    expect(explainMessage(hexOf('a'.repeat(300)), VIEW).warnings).toEqual([]);
    const tx = {
      type: 'eip1559',
      chainId: 1n,
      nonce: 0n,
      gasLimit: 21_000n,
      to: ME,
      value: 0n,
      data: `0x${'00'.repeat(30_000)}`,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      accessList: [{ address: ME, storageKeys: [] }],
    } as const;
    const explanation = explainTransaction(tx, VIEW);
    expect(explanation.warnings.join()).toContain('only the beginning');
    expect(explanation.lines.filter(({ kind }) => kind === 'address').length).toBeGreaterThan(0);
    expect(everything(explanation.lines)).toContain('Access 1 (0 storage keys)');
  });
});

describe('hidden characters', () => {
  it.each([
    0x34f, 0x2800, 0xfe00, 0xfe0f, 0xe0100, 0x17b4, 0x180b, 0x1d159, 0x2003, 0x3000, 0xa0, 0x202e, 0x200b, 0xad, 0x7f,
    0x9, 0xd, 0x200f, 0x2066, 0x2069, 0xfeff, 0x115f, 0x3164, 0xffa0, 0x16fe4, 0x13441, 0x13442, 0xe0041, 0xe007f,
  ])('U+%s is escaped', (codePoint) => {
    const text = `a${String.fromCodePoint(codePoint)}b`;
    expect(visible(text)).toBe(`a\\u{${codePoint.toString(16)}}b`);
    expect(hidesSomething(text)).toBe(true);
  });

  it.each([
    ['Unisw\u0430p', 'Unisw\\u{430}p'],
    ['\u0420ayPal', '\\u{420}ayPal'],
    ['p\u03b1y', 'p\\u{3b1}y'],
    ['\u00e9\u0441', '\u00e9\\u{441}'],
    ['\u0430\u0301pple', '\\u{430}\u0301pple'],
    ['p\u0301\u0430', 'p\u0301\\u{430}'],
    // Armenian, Lisu, Cherokee and Coptic; mathematical, full-width and numeral letters beside plain ones.
    ['\u0555pensea', '\\u{555}pensea'],
    ['\ua4e4wap', '\\u{a4e4}wap'],
    ['U\u13daDC', 'U\\u{13da}DC'],
    ['P\u2c9fol', 'P\\u{2c9f}ol'],
    ['Unisw\u{1d41a}p', 'Unisw\\u{1d41a}p'],
    ['Unisw\uff41p', 'Unisw\\u{ff41}p'],
    ['Po\u217c', 'Po\\u{217c}'],
    // A literal escape sequence.
    ['Unisw\\u{430}p', 'Unisw\\u{5c}u{430}p'],
  ])('a lookalike in %s is escaped and causes a warning', (text, written) => {
    expect(visible(text)).toBe(written);
    const { body, warnings } = explainMessage(hexOf(text), VIEW);
    expect(body?.text).toBe(written);
    expect(warnings).toEqual(['This message contains deceptive or invisible characters. They are shown as \\u{…}.']);
    // It is visible, so account names may contain it.
    expect(hidesSomething(text)).toBe(false);
  });

  it.each([
    'Привет, мир',
    'USDT-кошелёк',
    'Καλημέρα',
    'Ethereum 以太坊',
    'Ethereumเงิน',
    'für élan',
    '5 \u00b5m',
    '5 \u03bcm',
    '10 k\u03a9',
    '10 k\u2126',
    'Web3ウォレット',
    'ETH지갑',
    'ＵＳＤＣを送る',
    'C:\\users',
    '\\d+',
    'Բարեւ ETH',
  ])('nothing in %s is escaped', (text) => {
    expect(visible(text)).toBe(text);
    expect(explainMessage(hexOf(text), VIEW).warnings).toEqual([]);
  });

  it('an emoji keeps its variation selector', () => {
    expect(visible('I \u2764\ufe0f this')).toBe('I \u2764\ufe0f this');
    expect(hidesSomething('I \u2764\ufe0f this')).toBe(false);
  });
});
