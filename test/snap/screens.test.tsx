import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import {
  Address,
  Banner,
  Box,
  Button,
  Copyable,
  Divider,
  Dropdown,
  Field,
  Form,
  Heading,
  type JSXElement,
  Option,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { ME, transaction } from '../helpers/explaining';
import { flat, textOf } from '../helpers/screen-text';
import { installKeystead } from '../helpers/wallet/installed';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const ALWAYS = { version: 1, settings: { confirmSignatures: 'always' } };

const addressRow = (label: string, address: `0x${string}`) => (
  <Row label={label}>
    <Address address={address} truncate={false} displayName={false} />
  </Row>
);

const settingsForm = (value: string) => (
  <Form name="settings">
    <Field label="Before an account signs, MetaMask asks you. Should Keystead ask too?">
      <Dropdown name="confirmSignatures" value={value}>
        <Option value="never">No, once is enough</Option>
        <Option value="always">Yes, always</Option>
      </Dropdown>
    </Field>
    <Button type="submit" name="save">
      Save
    </Button>
  </Form>
);

/** A screen without what is not rendered: empty and nested lists of children. */
function shown(element: unknown): unknown {
  if (Array.isArray(element))
    return element
      .flat(Infinity)
      .filter((child) => child !== null)
      .map(shown);
  if (typeof element !== 'object' || element === null) return element;
  const { type, props } = element as { type: string; props: Record<string, unknown> };
  return { type, props: { ...props, children: shown([props.children]) } };
}

describe('the home page', () => {
  it('says what to do if there is no account', async () => {
    const { snap } = await installKeystead();
    const page = await snap.onHomePage();
    expect(shown(page.getInterface().content)).toEqual(
      shown(
        <Box>
          <Heading>Accounts</Heading>
          <Text>No account yet. Add one in MetaMask: choose to add an account, then Keystead.</Text>
          <Divider />
          <Heading>Settings</Heading>
          {settingsForm('never')}
        </Box>,
      ),
    );
  });

  it("lists the accounts by the user's names, and says which ones the recovery phrase recovers", async () => {
    const { snap, create, call } = await installKeystead();
    const derived = await create();
    const imported = await create({ privateKey: KEY });
    await call('keyring_updateAccount', {
      account: { ...imported, options: { ...imported.options, label: 'αETH' } },
    });
    expect(shown((await snap.onHomePage()).getInterface().content)).toEqual(
      shown(
        <Box>
          <Heading>Accounts</Heading>
          <Section>
            <Text>Account 1</Text>
            {addressRow('Address', derived.address as `0x${string}`)}
            <Text>Comes back with your recovery phrase.</Text>
          </Section>
          <Section>
            <Text>{`αETH (Imported account ${ME.slice(2, 6)})`}</Text>
            {addressRow('Address', ME)}
            <Text>Imported: not recoverable from your recovery phrase.</Text>
          </Section>
          <Divider />
          <Heading>Settings</Heading>
          {settingsForm('never')}
        </Box>,
      ),
    );
  });

  it.each([
    ['version', { version: 'old' }, ''],
    ['settings', { settings: 5 }, ''],
    ['accounts', { accounts: { one: 5 } }, ' Accounts of your recovery phrase come back when you add them again.'],
  ])('says of a damaged part, %s, what stays, and of accounts only that they come back', async (part, state, more) => {
    const { snap } = await installKeystead({ state: { version: 1, ...state } });
    const banner = (
      <Banner title="Damaged data" severity="danger">
        <Text>{`Something of this cannot be read: ${part}. It stays stored, and a copy is kept when it is replaced.${more}`}</Text>
      </Banner>
    );
    expect(shown((await snap.onHomePage()).getInterface().content)).toMatchObject({
      props: { children: expect.arrayContaining([shown(banner)]) as unknown },
    });
  });

  it('saves the settings, which apply from the next request on', async () => {
    const { snap, create, submit } = await installKeystead();
    const { id, address } = await create();
    const page = (await snap.onHomePage()).getInterface();
    await page.selectInDropdown('confirmSignatures', 'always');
    await page.clickElement('save');
    expect(shown((await snap.onHomePage()).getInterface().content)).toMatchObject({
      props: { children: expect.arrayContaining([shown(settingsForm('always'))]) as unknown },
    });
    const request = submit(id, 'personal_sign', ['0x00', address]);
    expect((await request.getInterface()).type).toBe('confirmation');
  });
});

/** Answers the dialog of a request in both ways. Both must lead to a response. */
async function bothWays(
  send: () => ReturnType<Awaited<ReturnType<typeof installKeystead>>['send']>,
  check: (content: JSXElement) => void,
): Promise<void> {
  const refused = send();
  const first = await refused.getInterface();
  expect(first.type).toBe('confirmation');
  check(first.content);
  await first.cancel();
  expect((await refused).response.error).toMatchObject({
    code: 4001,
    message: 'You rejected the request.',
    data: { code: 'user-rejected' },
  });
  const approved = send();
  await (await approved.getInterface()).ok();
  expect((await approved).response.error).toBeUndefined();
}

describe('the dialogs', () => {
  it('import: who asks, which account, and that the phrase does not cover it; never the key', async () => {
    const { send } = await installKeystead();
    await bothWays(
      () => send('keyring_createAccount', { options: { privateKey: KEY } }),
      (content) => {
        const text = textOf(content);
        expect(text).toContain('metamask');
        expect(text).toContain(ME);
        expect(text).toContain('Not recoverable from your recovery phrase');
        expect(text).not.toContain(KEY.slice(2));
      },
    );
  });

  it('export: who asks, which account, and what it means; never the key', async () => {
    const { send, create } = await installKeystead();
    const { id } = await create({ privateKey: KEY });
    await bothWays(
      () => send('keyring_exportAccount', { id }),
      (content) => {
        const text = textOf(content);
        expect(text).toContain('Hand out a private key');
        expect(text).toContain('metamask');
        expect(text).toContain(ME);
        expect(text).not.toContain(KEY.slice(2));
      },
    );
  });

  it('a message: its text in full', async () => {
    const { submit, create } = await installKeystead({ state: ALWAYS });
    const { id } = await create({ privateKey: KEY });
    await bothWays(
      () => submit(id, 'personal_sign', [`0x${Buffer.from('Sign in to example.org').toString('hex')}`, ME]),
      (content) => {
        expect(shown(content)).toEqual(
          shown(
            <Box>
              <Heading>Sign a message</Heading>
              <Box>{[]}</Box>
              <Row label="Asked by">
                <Text>metamask</Text>
              </Row>
              {addressRow('Signed by', ME)}
              <Divider />
              <Box>
                <Row label="Length">
                  <Text>22 bytes</Text>
                </Row>
                <Box>
                  <Divider />
                  <Text>Message</Text>
                  <Copyable value="Sign in to example.org" />
                </Box>
              </Box>
            </Box>,
          ),
        );
      },
    );
  });

  it('a message with invisible characters: they are shown', async () => {
    const { submit, create } = await installKeystead({ state: ALWAYS });
    const { id } = await create({ privateKey: KEY });
    const message = 'pay \u202eecila\u200b to **bob**';
    const request = submit(id, 'personal_sign', [`0x${Buffer.from(message).toString('hex')}`, ME]);
    const { content, ok } = await request.getInterface();
    const text = textOf(content);
    expect(text).toContain('pay \\u{202e}ecila\\u{200b} to **bob**');
    expect(text).toContain('invisible characters');
    await ok();
  });

  it('a request of a dapp that MetaMask could not verify: its claim, marked as unverified', async () => {
    const { send, create } = await installKeystead({ state: ALWAYS });
    const { id } = await create({ privateKey: KEY });
    const says = async (originMetadata: Json) => {
      const request = send('keyring_submitRequest', {
        id: '11111111-1111-4111-8111-111111111111',
        scope: '',
        account: id,
        origin: 'metamask',
        originMetadata,
        request: { method: 'personal_sign', params: ['0x6869', ME] },
      });
      const { content, ok } = await request.getInterface();
      await ok();
      return flat(content);
    };
    const claimed = await says({ transport: 'sdk', selfReportedOrigin: 'https://dapp.example/\u202e**x**' });
    expect(claimed).toContain('Asked by metamask');
    expect(claimed).toContain('Says it is https://dapp.example/\\u{202e}**x**');
    expect(claimed).toContain('The dapp gave this name itself, through “sdk”. MetaMask could not verify it');
    expect(await says({ transport: 'sdk', selfReportedOrigin: 'https://xn--80ak6aa92e.com' })).toContain(
      'Look at the name',
    );
    expect(await says({ transport: 'sdk', selfReportedOrigin: '' })).toContain('Says it is (no name)');
    expect(await says({ transport: 'sdk', selfReportedOrigin: 'x'.repeat(2000) })).toContain('1700 more characters');
    expect(await says(null)).not.toContain('Says it is');
  });

  it('a message that is not text: in hex, with a note', async () => {
    const { submit, create } = await installKeystead({ state: ALWAYS });
    const { id } = await create({ privateKey: KEY });
    const request = submit(id, 'personal_sign', ['0xff00fe', ME]);
    const { content, ok } = await request.getInterface();
    expect(textOf(content)).toContain('0xff00fe');
    expect(textOf(content)).toContain('not text');
    await ok();
  });

  it('a transaction: recipient, value, the most it can cost, and the data', async () => {
    const { submit, create } = await installKeystead({ state: ALWAYS });
    const { id } = await create({ privateKey: KEY });
    const to = '0x3535353535353535353535353535353535353535';
    await bothWays(
      () =>
        submit(
          id,
          'eth_signTransaction',
          [transaction({ to, value: '0x14d1120d7b160000', data: '0xa9059cbb', chainId: '0xaa36a7', accessList: [] })],
          'eip155:11155111',
        ),
      (content) => {
        const text = textOf(content);
        for (const part of [
          to,
          '1.5 ETH',
          '0.0000315 ETH',
          '1.5 gwei',
          '1 gwei',
          'eip155:11155111',
          '4 bytes',
          'A call that is not understood',
          '0xa9059cbb',
        ]) {
          expect(text).toContain(part);
        }
      },
    );
  });

  it('a contract creation says so', async () => {
    const { submit, create } = await installKeystead({ state: ALWAYS });
    const { id } = await create({ privateKey: KEY });
    const request = submit(id, 'eth_signTransaction', [
      {
        type: '0x0',
        nonce: '0x0',
        gasPrice: '0x1',
        gasLimit: '0x5208',
        value: '0x1',
        data: '0x00',
        chainId: '0x1',
        from: ME,
      },
    ]);
    const { content, ok } = await request.getInterface();
    expect(textOf(content)).toContain('Sign a contract creation');
    expect(textOf(content)).toContain('sends value to a contract that does not exist yet');
    await ok();
  });

  it('typed data: the domain and every value; unsigned values are marked', async () => {
    const { submit, create } = await installKeystead({ state: ALWAYS });
    const { id } = await create({ privateKey: KEY });
    const typedData = {
      types: {
        EIP712Domain: [{ name: 'name', type: 'string' }],
        Person: [
          { name: 'name', type: 'string' },
          { name: 'wallets', type: 'address[]' },
        ],
        Mail: [
          { name: 'to', type: 'Person[]' },
          { name: 'urgent', type: 'bool' },
        ],
      },
      primaryType: 'Mail',
      domain: { name: 'Ether Mail' },
      message: { to: [{ name: 'Bob', wallets: [ME, ME.replace('C', 'c')] }], urgent: true, extra: 'unsigned' },
    };
    await bothWays(
      () => submit(id, 'eth_signTypedData_v4', [ME, typedData]),
      (content) => {
        const text = textOf(content);
        for (const part of [
          'Sign typed data: Mail',
          '(domain).name',
          'Ether Mail',
          'to[0].name',
          'Bob',
          'to[0].wallets[1]',
          'urgent',
          'true',
        ]) {
          expect(text).toContain(part);
        }
        expect(text).toContain('not signed and not shown: 1 value of the request.');
        expect(text).toContain('neither a chain nor a contract');
        expect(text).toContain('checksum of EIP-55');
        expect(text).not.toContain('unsigned ');
      },
    );
  });
});
