import { type Json } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';
import { type Hex, recoverMessageAddress, recoverTypedDataAddress, stringToHex } from 'viem';

import { DAPP, type ForDapps, installForDapps } from '../../support/dapp';
import { ALICE, BOB, ME, typedData, USDC } from '../../support/explaining';
import { flat, textOf } from '../../support/screen-text';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const DOMAIN = { name: 'Name', version: '1', chainId: 1, verifyingContract: USDC };

/** Characters that are invisible, change the direction, overlap others, or are half a character. */
const TRICKS: readonly string[] = [
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
  ...[0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0xad, 0xfeff, 0x2060, 0x61c, 0x34f, 0x180e],
  ...[0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0x17b4, 0x13441, 0x1d159],
  ...[0xfe00, 0xfe0f, 0xe0001, 0xe0041, 0xe007f, 0xe0100],
  ...[0x0, 0x8, 0xb, 0xd, 0x1b, 0x7f, 0x85, 0xa0, 0x2003, 0x2028, 0x2029, 0x3000, 0xe000],
].map((codePoint) => String.fromCodePoint(codePoint));
/** All of them in one text, each preceded by a number. */
const ALL = TRICKS.map((trick, index) => `${index}${trick}`).join('');
/** The required display, which makes each of them visible. */
const WRITTEN_OUT = TRICKS.map((trick, index) => `${index}\\u{${trick.codePointAt(0)!.toString(16)}}`).join('');
const ZALGO = `z${'\u0301'.repeat(100)}`;
const ZALGO_SHOWN = `z${'\u0301'.repeat(8)}${'\\u{301}'.repeat(92)}`;
const IMITATION = 'U\u0455DC of Unisw\u0430p';
const IMITATION_SHOWN = 'U\\u{455}DC of Unisw\\u{430}p';
/** Markup of Markdown, HTML and JSX. */
const MARKUP = '**bold** _it_ [link](https://a.example) <b>b</b> <Heading>h</Heading> {text} &lt; `code`';
/** HTML entities of what is not seen, with and without their ends. */
const ENTITIES = 'a&#8203;&#x202e;&ZeroWidthSpace;&shy&nbsp;&rdquo;&amp;lt;b';

let keystead: ForDapps;
beforeAll(async () => {
  keystead = await installForDapps();
  await keystead.create({ privateKey: KEY });
  await keystead.connect();
});

/** The screen without the frame of the message, which leaves only the snap's own text. */
const withoutMessage = (content: JSXElement): unknown =>
  JSON.parse(JSON.stringify(content), (_key, value: unknown) =>
    (value as { type?: unknown } | null)?.type === 'Section' ? '' : value,
  );

/** Requests a signature and approves it. */
async function sign(method: string, params: Json) {
  const request = keystead.dapp(method, params);
  const { content, ok } = await request.getInterface();
  await ok();
  const { result, error } = (await request).response as { result?: Hex; error?: object };
  expect(error).toBeUndefined();
  return { content, shown: textOf(content), signature: result! };
}

const recovered = (data: object, signature: Hex): Promise<Hex> =>
  recoverTypedDataAddress({ ...data, signature } as never);

const assertHarmless = (shown: string): void => {
  expect(TRICKS.filter((trick) => shown.includes(trick))).toEqual([]);
  expect(shown).not.toMatch(/\u0301{10}/u);
};

describe('deceptive content of a site, whose exact bytes are signed', () => {
  it.each([
    ['what is not seen', ALL, WRITTEN_OUT],
    ['marks heaped on one letter', ZALGO, ZALGO_SHOWN],
    ['letters that imitate others', IMITATION, IMITATION_SHOWN],
    ['markup', MARKUP, MARKUP],
    ['HTML entities', ENTITIES, ENTITIES],
    ['5,000 lines', `${'\n'.repeat(5000)}pay`, 'This message has long gaps'],
    ['100,000 characters', 'a'.repeat(100_000), 'a… (80000 more characters)'],
  ])('a message: %s', async (_what, message, says) => {
    const { shown, signature } = await sign('personal_sign', [stringToHex(message), ME]);
    assertHarmless(shown);
    expect(shown).toContain(says);
    expect(await recoverMessageAddress({ message, signature })).toBe(ME);
  });

  it('a message that looks like a screen of ours is shown in its frame, and nowhere else', async () => {
    const message = `ok\n\nSigning account ${BOB}\nDanger`;
    const { content, shown, signature } = await sign('personal_sign', [stringToHex(message), ME]);
    for (const line of message.split('\n')) expect(shown).toContain(line);
    const ours = textOf(withoutMessage(content));
    expect(ours).toContain(ME);
    for (const claim of [BOB, 'Danger']) expect(ours).not.toContain(claim);
    expect(await recoverMessageAddress({ message, signature })).toBe(ME);
  });

  it.each([
    ['what is not seen', ALL, WRITTEN_OUT],
    ['marks heaped on one letter', ZALGO, ZALGO_SHOWN],
    ['letters that imitate others', IMITATION, IMITATION_SHOWN],
    ['markup', MARKUP, MARKUP],
    ['HTML entities', ENTITIES, ENTITIES],
    ['5,000 lines', `pay${'\n'.repeat(5000)}`, 'pay\\u{a}\\u{a}'],
    ['a line of ours in it', `ok\nSpender: ${BOB}`, `ok\\u{a}Spender: ${BOB}`],
  ])('the domain and the values of typed data: %s', async (_what, text, says) => {
    const domain = { ...DOMAIN, name: text, version: text };
    const data = typedData('Note(string first,Inner[] list)Inner(string second)', domain, {
      first: text,
      list: [{ second: text }],
    });
    const { shown, signature } = await sign('eth_signTypedData_v4', [ME, data as unknown as Json]);
    assertHarmless(shown);
    // The name, the version, and the two values, which are on the open part, too.
    expect(shown.split(says).length - 1).toBe(6);
    expect(await recovered(data, signature)).toBe(ME);
  });

  it('an origin with one of these characters is not a site', async () => {
    const taken: string[] = [];
    for (const trick of [...TRICKS, '\u0430', '\u0301', 'D']) {
      const { error } = await keystead.ask('eth_accounts', [], `https://dapp${trick}.example`);
      if (error?.code !== 4100) taken.push(trick.codePointAt(0)!.toString(16));
    }
    expect(taken).toEqual([]);
    expect(await keystead.ask('eth_accounts', [], 'https://other.example')).toEqual({ result: [] });
  });
});

describe('typed data as text', () => {
  const data = typedData('Note(address to,string text)', DOMAIN, { to: ALICE, text: 'hello' });
  const json = JSON.stringify(data);

  it('with duplicate keys: what is shown is what is signed', async () => {
    const twice = json
      .replace('"message":', `"message":{"to":"${BOB}","text":"first"},"message":`)
      .replace(`"to":"${ALICE}"`, `"to":"${BOB}","to":"${ALICE}"`)
      .replace('"primaryType":', '"primaryType":"Other","primaryType":')
      .replace('"chainId":1', '"chainId":5,"chainId":1');
    expect(twice).not.toBe(json);
    const { shown, signature } = await sign('eth_signTypedData_v4', [ME, twice]);
    expect(shown).toContain(ALICE);
    for (const hidden of [BOB, 'first', 'Other']) expect(shown).not.toContain(hidden);
    expect(await recovered(data, signature)).toBe(ME);
  });

  it('with types that differ only in case: they are distinguished', async () => {
    const cases = typedData('Mail(mail inner,Mails more)mail(string text)Mails(uint8 text)', DOMAIN, {
      inner: { text: 'seven' },
      more: { text: 7 },
    });
    const { shown, signature } = await sign('eth_signTypedData_v4', [ME, JSON.stringify(cases)]);
    expect(flat(shown)).toContain('inner.text seven more.text 7');
    expect(await recovered(cases, signature)).toBe(ME);
  });

  it('with names that every object has: they are treated as any other name', async () => {
    const names = typedData('toString(constructor valueOf,string hasOwnProperty)constructor(string toString)', DOMAIN, {
      valueOf: { toString: 'inside' },
      hasOwnProperty: 'outside',
    });
    const { shown, signature } = await sign('eth_signTypedData_v4', [ME, JSON.stringify(names)]);
    expect(flat(shown)).toContain('valueOf.toString inside hasOwnProperty outside');
    expect(await recovered(names, signature)).toBe(ME);
  });

  it.each<[string, string, string]>([
    [
      '__proto__ in the message',
      json.replace('"message":{', `"message":{"__proto__":{"to":"${BOB}"},`),
      'typedData.message',
    ],
    ['__proto__ in the domain', json.replace('"domain":{', '"domain":{"__proto__":{},'), 'typedData.domain'],
    ['__proto__ as a type', json.replace('"types":{', '"types":{"__proto__":[],'), 'typedData.types'],
    ['a member named by a number', json.replaceAll('"text"', '"0"'), 'typedData.types.Note[1].name'],
    ['a type named like a list', json.replaceAll('"Note"', '"Note[]"'), 'typedData.types'],
    [
      'an alias of a type',
      json.replace('"type":"string","name":"text"', '"type":"uint","name":"text"'),
      'typedData.types.Note[1].type',
    ],
    [
      'a value 4,000 levels deep',
      json.replace('"hello"', `${'['.repeat(4000)}${']'.repeat(4000)}`),
      'typedData.message.text',
    ],
    [
      'a list of a type, 4,000 levels deep',
      json
        .replace('"type":"string","name":"text"', `"type":"string${'[]'.repeat(100)}","name":"text"`)
        .replace('"hello"', `${'['.repeat(4000)}${']'.repeat(4000)}`),
      'typedData',
    ],
  ])('with %s: is rejected by name, without a dialog', async (_what, text, field) => {
    expect(text).not.toBe(json);
    const { error } = await keystead.ask('eth_signTypedData_v4', [ME, text]);
    expect(error).toMatchObject({ code: -32602, data: { field } });
  });

  it('with unsigned members, 4,000 levels deep: reports that they are not signed', async () => {
    const deep = json.replace('"message":{', `"message":{"more":${'['.repeat(4000)}${']'.repeat(4000)},`);
    const { shown, signature } = await sign('eth_signTypedData_v4', [ME, deep]);
    expect(shown).toContain('Not signed and not shown: 1 value of the request that its types do not declare.');
    expect(await recovered(data, signature)).toBe(ME);
  });
});

describe('a message of a smart account owned by a key of the wallet (ERC-7739)', () => {
  const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
  const ACCOUNT = 'string name,string version,uint256 chainId,address verifyingContract,bytes32 salt';

  it('is shown with its content, and the dangers in it', async () => {
    const contents = { owner: ALICE, spender: BOB, value: `${2n ** 256n - 1n}`, nonce: 0, deadline: 1 };
    const data = typedData(`TypedDataSign(Permit contents,${ACCOUNT})${PERMIT}`, DOMAIN, {
      contents,
      name: 'Account',
      version: '1',
      chainId: 1,
      verifyingContract: ALICE,
      salt: `0x${'00'.repeat(32)}`,
    });
    const { shown, signature } = await sign('eth_signTypedData_v4', [ME, data as unknown as Json]);
    const said = flat(shown);
    expect(said).toContain('Danger');
    expect(said).toContain('spend all USDC that account 0xd8dA…6045 holds');
    expect(said).toMatch(new RegExp(`Account .*${ALICE}.*Spender .*${BOB}.*unlimited`, 'u'));
    expect(said).toContain(DAPP);
    expect(await recovered(data, signature)).toBe(ME);
  });

  it('is flagged if its content cannot be read', async () => {
    const data = typedData(
      'PersonalSign(bytes prefixed)',
      { ...DOMAIN, verifyingContract: ALICE },
      { prefixed: '0x1901' },
    );
    const { shown } = await sign('eth_signTypedData_v4', [ME, data as unknown as Json]);
    expect(shown).toContain('You cannot see what it stands for');
  });
});
