import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import {
  Address,
  Banner,
  Box,
  Button,
  CollapsibleSection,
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

import { newEoa } from '../../../src/snap/account/account';
import { ALICE, ME, transaction } from '../../support/explaining';
import { flat, textOf } from '../../support/screen-text';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { SnapInProcess } from '../../support/wallet/in-process';
import { installKeystead, type Keystead } from '../../support/wallet/installed';
import { WalletDouble } from '../../support/wallet/wallet-double';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const ALWAYS = { settings: { confirmSignatures: 'always' } } as const;
const NEVER = { settings: { confirmSignatures: 'never' } } as const;

const start = useEmptiedSnap(installKeystead);

const addressRow = (label: string, address: `0x${string}`) => (
  <Row label={label}>
    <Address address={address} truncate={false} displayName={false} />
  </Row>
);

const settingsForm = (value: string) => (
  <Form name="settings">
    <Field label="MetaMask asks you before an account signs. When should Keystead ask too?">
      <Dropdown name="confirmSignatures" value={value}>
        <Option value="never">Only if something looks unusual</Option>
        <Option value="always">Always</Option>
      </Dropdown>
    </Field>
    <Button type="submit" name="save">
      Save
    </Button>
  </Form>
);

/** A screen without empty and nested lists of children, which do not show. */
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
    const { snap } = await start(NEVER);
    const page = await snap.onHomePage();
    expect(shown(page.getInterface().content)).toEqual(
      shown(
        <Box>
          <Heading>Accounts</Heading>
          <Text>You have no accounts yet.</Text>
          <Button name="create-account">Create an account</Button>
          <Box>
            <Divider />
          </Box>
          <Heading>Settings</Heading>
          {settingsForm('never')}
        </Box>,
      ),
    );
  });

  it('lists the accounts by their names, and says which of them the recovery phrase restores', async () => {
    const { snap, create, call } = await start(NEVER);
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
            <Text fontWeight="bold">Keystead 1 · Standard account</Text>
            <Text color="alternative">Restored by your recovery phrase.</Text>
            {addressRow('Address', derived.address as `0x${string}`)}
            {null}
          </Section>
          <Section>
            <Text fontWeight="bold">αETH · Standard account</Text>
            <Text color="alternative">Imported. Your recovery phrase does not restore it.</Text>
            {addressRow('Address', ME)}
            {null}
          </Section>
          <Button name="create-account">Create an account</Button>
          <Text>The Keystead page shows who may take your tokens and NFTs.</Text>
          <Box>
            <Divider />
          </Box>
          <Heading>Settings</Heading>
          {settingsForm('never')}
        </Box>,
      ),
    );
  });

  it('fits two accounts on one screen', async () => {
    const stored = [ME, ALICE].map((address, index) => newEoa(address, { source: 'derived', index }));
    const state = {
      version: 2,
      accounts: Object.fromEntries(stored.map((one) => [one.account.id, { ...one, announced: true }])),
    };
    const wallet = new WalletDouble({ state: JSON.parse(JSON.stringify(state)) as Record<string, Json> });
    const text = textOf((await new SnapInProcess(wallet, 'built').home()) as JSXElement);
    expect(text).toMatch(/Keystead 1 .* Keystead 2 .* Create an account .* Settings/u);
    expect(text.length).toBeLessThan(560);
  });

  it.each([
    ['the version of the data', { version: 'old' }, ''],
    ['settings', { settings: 5 }, ''],
    ['connected sites, earlier recipients', { version: 2, grants: 5, histories: 5, historyOrder: 5 }, ''],
    ['accounts', { accounts: { one: 5 } }, ' To restore accounts of your recovery phrase, add them again.'],
  ])(
    'says in plain words that %s cannot be read, that nothing was deleted, and what to do',
    async (part, state, more) => {
      const wallet = new WalletDouble({ state: { version: 2, ...state } });
      const content = await new SnapInProcess(wallet, 'built').home();
      const banner = (
        <Banner title="Damaged data" severity="danger">
          <Text>{`Keystead cannot read all of its stored data: ${part}. Nothing was deleted, and a copy is kept before it is replaced. Set up again what is missing.${more}`}</Text>
        </Banner>
      );
      expect(shown(content)).toMatchObject({
        props: { children: expect.arrayContaining([shown(banner)]) as unknown },
      });
    },
  );

  it('saves the settings, which apply from the next request on', async () => {
    const { snap, create, submit } = await start(NEVER);
    const { id, address } = await create();
    const page = (await snap.onHomePage()).getInterface();
    await page.selectInDropdown('confirmSignatures', 'always');
    await page.clickElement('save');
    expect(shown((await snap.onHomePage()).getInterface().content)).toMatchObject({
      props: { children: expect.arrayContaining([shown(settingsForm('always'))]) as unknown },
    });
    const request = submit(id, 'personal_sign', ['0x00', address]);
    const screen = await request.getInterface();
    expect(screen.type).toBe('confirmation');
    await screen.cancel();
  });
});

/** Rejects and approves a request. Both must produce a response. */
async function bothWays(send: () => ReturnType<Keystead['send']>, check: (content: JSXElement) => void): Promise<void> {
  const refused = send();
  const first = await refused.getInterface();
  expect(first.type).toBe('confirmation');
  await first.cancel();
  expect((await refused).response.error).toMatchObject({
    code: 4001,
    message: 'You rejected the request.',
    data: { code: 'user-rejected' },
  });
  // After the answer: a dialog that stays open would hold the environment back from ending.
  check(first.content);
  const approved = send();
  await (await approved.getInterface()).ok();
  expect((await approved).response.error).toBeUndefined();
}

describe('the dialogs', () => {
  it('import: the site, the account, and that the phrase does not cover it; never the key', async () => {
    const { send } = await start(NEVER);
    await bothWays(
      () => send('keyring_createAccount', { options: { privateKey: KEY } }),
      (content) => {
        const text = textOf(content);
        expect(text).toContain('Asked through MetaMask');
        expect(text).toContain(ME);
        expect(text).toContain('Not recoverable from your recovery phrase');
        expect(text).not.toContain(KEY.slice(2));
      },
    );
  });

  it('export: the site, the account, and what it means; never the key', async () => {
    const { send, create } = await start(NEVER);
    const { id } = await create({ privateKey: KEY });
    await bothWays(
      () => send('keyring_exportAccount', { id }),
      (content) => {
        const text = textOf(content);
        expect(text).toContain('Export a private key');
        expect(text).toContain('Asked through MetaMask');
        expect(flat(text)).toContain(`Account Imported account ${ME.slice(2, 6)} Address ${ME}`);
        expect(text).not.toContain(KEY.slice(2));
      },
    );
  });

  it('a message: its text in full', async () => {
    const { submit, create } = await start(ALWAYS);
    const { id } = await create({ privateKey: KEY });
    const message = 'Sign in to example.org';
    await bothWays(
      () => submit(id, 'personal_sign', [`0x${Buffer.from(message).toString('hex')}`, ME]),
      (content) => {
        expect(shown(content)).toEqual(
          shown(
            <Box>
              <Heading>Sign a message</Heading>
              <Box>
                <Row label="Asked again because">
                  <Text>your settings say so</Text>
                </Row>
              </Box>
              <Box>
                <Box>
                  <Text color="alternative">Message</Text>
                  <Section>
                    <Text>{message}</Text>
                  </Section>
                </Box>
              </Box>
              <Box>
                <Divider />
              </Box>
              <Box>
                <Row label="Asked through">
                  <Text>MetaMask</Text>
                </Row>
                <Row label="Account">
                  <Text>{`Imported account ${ME.slice(2, 6)}`}</Text>
                </Row>
                {addressRow('Address', ME)}
              </Box>
              <Box>
                <Divider />
              </Box>
              <Box>
                <CollapsibleSection label="Details">
                  <Box>
                    <Row label="Length">
                      <Text>22 bytes</Text>
                    </Row>
                  </Box>
                </CollapsibleSection>
              </Box>
            </Box>,
          ),
        );
      },
    );
  });

  it('a message of several lines: each on its own, however many there are', async () => {
    const { submit, create } = await start(ALWAYS);
    const { id } = await create({ privateKey: KEY });
    const shownLines = async (message: string): Promise<unknown[]> => {
      const request = submit(id, 'personal_sign', [`0x${Buffer.from(message).toString('hex')}`, ME]);
      const { content, ok } = await request.getInterface();
      await ok();
      const [, frame] = /"type":"Section","props":\{"children":(\[.*?\])\},"key"/u.exec(JSON.stringify(content))!;
      return (JSON.parse(frame!) as { props: { children: unknown } }[]).map(({ props }) => props.children);
    };
    expect(await shownLines('one\n\nthree &amp; \n four')).toEqual(['one', '', 'three &amp;amp; ', ' four']);
    const many = await shownLines(`${'a\n'.repeat(600)}end`);
    expect(many).toHaveLength(501);
    expect(many.at(-1)).toBe(`${'a\n'.repeat(100)}end`);
  });

  it('a message with invisible characters: they are shown', async () => {
    const { submit, create } = await start(ALWAYS);
    const { id } = await create({ privateKey: KEY });
    const message = 'pay \u202eecila\u200b to **bob**';
    const request = submit(id, 'personal_sign', [`0x${Buffer.from(message).toString('hex')}`, ME]);
    const { content, ok } = await request.getInterface();
    const text = textOf(content);
    expect(text).toContain('pay \\u{202e}ecila\\u{200b} to **bob**');
    expect(text).toContain('invisible characters');
    await ok();
  });

  it('a request of an app that MetaMask could not verify: its name, marked as unverified', async () => {
    const { send, create } = await start(ALWAYS);
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
    expect(claimed).toContain('Asked through MetaMask');
    expect(claimed).toContain('Claimed name https://dapp.example/\\u{202e}**x**');
    expect(claimed).toContain('The app reported this name itself, through “sdk”. MetaMask could not verify it');
    expect(await says({ transport: 'sdk', selfReportedOrigin: 'https://xn--80ak6aa92e.com' })).toContain(
      "Check the site's name",
    );
    expect(await says({ transport: 'sdk', selfReportedOrigin: '' })).toContain('Claimed name (no name)');
    expect(await says({ transport: 'sdk', selfReportedOrigin: 'x'.repeat(2000) })).toContain('1700 more characters');
    expect(await says(null)).not.toContain('Claimed name');
  });

  it.each([{}, { origin: '' }])('a request whose origin the wallet does not name: unknown: %j', async (named) => {
    const { send, create } = await start(ALWAYS);
    const { id } = await create({ privateKey: KEY });
    const request = send('keyring_submitRequest', {
      id: '11111111-1111-4111-8111-111111111111',
      scope: '',
      account: id,
      ...named,
      request: { method: 'personal_sign', params: ['0x6869', ME] },
    });
    const { content, ok } = await request.getInterface();
    expect(flat(content)).toContain('Site Unknown');
    await ok();
    expect((await request).response).toHaveProperty('result');
  });

  it('a message that is not text: in hex, with a warning', async () => {
    const { submit, create } = await start(ALWAYS);
    const { id } = await create({ privateKey: KEY });
    const request = submit(id, 'personal_sign', ['0xff00fe', ME]);
    const { content, ok } = await request.getInterface();
    expect(textOf(content)).toContain('0xff00fe');
    expect(textOf(content)).toContain('not text');
    await ok();
  });

  it('a transaction: recipient, value, maximum fee and data', async () => {
    const { submit, create } = await start(ALWAYS);
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
          'Sepolia',
          'Chain ID 11155111',
          '4 bytes',
          'Unknown call',
          '0xa9059cbb',
        ]) {
          expect(text).toContain(part);
        }
      },
    );
  });

  it('a contract creation says so', async () => {
    const { submit, create } = await start(ALWAYS);
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
    expect(textOf(content)).toContain('Create a contract');
    expect(textOf(content)).toContain('to a contract that does not exist yet');
    await ok();
  });

  it('typed data: the domain and every value, and a warning about values that are not signed', async () => {
    const { submit, create } = await start(ALWAYS);
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
          'Sign typed data “Mail”',
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
        expect(text).toContain('Not signed and not shown: 1 value of the request that its types do not declare.');
        expect(text).toContain('neither a network nor a contract');
        expect(text).toContain('checksum (EIP-55)');
        expect(text).not.toContain('unsigned ');
      },
    );
  });
});
