import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, codesOf, explainTyped, ME, saying, typedData, USDC, VIEW } from '../../../support/explaining';
import { at, BATCH, DAI, details, PERMISSIONS, PERMIT, permit, PERMIT2, SOON } from './typed-rows';

describe('typed data', () => {
  it('always ends with all signed values', () => {
    const { sections } = explainTyped(permit(1n, SOON));
    expect(sections.at(-1)!.title).toBe('All signed values');
    expect(sections.at(-1)!.lines).toHaveLength(9);
  });

  it('of a type that differs in one member is unknown, but flagged if it looks like a permit', () => {
    const odd = PERMIT.replace('uint256 value', 'uint128 value');
    const message = { owner: ME, spender: BOB, value: ((1n << 128n) - 1n).toString(), nonce: 0, deadline: SOON };
    const explanation = explainTyped(typedData(odd, at(USDC), message));
    expect(saying(explanation)).toContain('Meaning: unknown');
    expect(saying(explanation)).toContain('permission to spend your tokens or act for your account');
    expect(codesOf(explanation)).toEqual(['unlimited-approval']);
    expect(codesOf(explainTyped(typedData(odd, at(USDC), { ...message, value: 1 })))).toEqual(['unknown-permission']);
  });

  it('of types that only start like known ones is unknown', () => {
    const permitted = { token: USDC, amount: '1' };
    const witness = typedData(
      `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadlineX)${PERMISSIONS}`,
      at(PERMIT2),
      { permitted, spender: BOB, nonce: 0, deadlineX: 1 },
    );
    expect(saying(explainTyped(witness))).toContain('Meaning: unknown');
    const named = typedData('Test(address spender,uintLike value)uintLike(bool yes)', at(ALICE), {
      spender: BOB,
      value: { yes: true },
    });
    expect(saying(explainTyped(named))).toContain('Meaning: unknown');
  });

  it('for another chain, or addressed to the signing account, is flagged', () => {
    expect(codesOf(explainTyped(permit(1n, SOON), { ...VIEW, chainId: 5n }))).toEqual(['chain-mismatch']);
    expect(codesOf(explainTyped(permit(1n, SOON), { ...VIEW, chainId: 1n }))).toEqual([]);
    const toMyself = typedData('Test(uint256 value)', at(ME.toLowerCase() as Hex), { value: 1 });
    expect(codesOf(explainTyped(toMyself))).toEqual(['own-contract']);
  });

  it('means the same with numbers in hex', () => {
    const hex = typedData(
      PERMIT,
      { ...at(USDC), chainId: '0x1' },
      {
        owner: ME,
        spender: BOB,
        value: '0x53ec60',
        nonce: '0x0',
        deadline: `0x${BigInt(SOON).toString(16)}`,
      },
    );
    expect(saying({ ...explainTyped(hex), sections: explainTyped(hex).sections.slice(0, 1) })).toContain('5.5 USDC');
  });
});

describe('typed data built to be unreadable', () => {
  it('with ten thousand elements: a hundred lines, the rest counted, and dangers found at the end', () => {
    const many = Array.from({ length: 10_000 }, (_item, index) => `0x${index.toString(16).padStart(40, '0')}`);
    const list = explainTyped(typedData('List(address[] who)', at(ALICE), { who: many }));
    expect(list.sections[0]!.lines).toHaveLength(100);
    expect(list.warnings).toEqual(['Signed but not shown here: 9904 more values.']);

    const entries = Array.from({ length: 10_000 }, () => details(DAI, 1n, SOON));
    const batch = typedData(BATCH, at(PERMIT2), {
      details: [...entries, details(USDC, (1n << 160n) - 1n, 2 ** 48 - 1)],
      spender: BOB,
      sigDeadline: SOON,
    });
    expect(codesOf(explainTyped(batch))).toEqual(['never-expires', 'not-fully-read', 'unlimited-approval']);
  });

  it('with a megabyte of text and a name of the maximum length', () => {
    const name = 'a'.repeat(256);
    const explanation = explainTyped(
      typedData(`Note(string ${name},string text)`, at(ALICE), { [name]: 'x', text: '\u202e'.repeat(1_000_000) }),
    );
    const lines = explanation.sections[0]!.lines;
    for (const { label, value } of lines) {
      expect(label.length).toBeLessThan(200);
      expect(value.length).toBeLessThan(5000);
      expect(value).not.toContain('\u202e');
    }
    expect(lines.at(-1)!.value).toContain('999500 more characters');
  });

  it('sixty levels deep', () => {
    const levels = Array.from({ length: 60 }, (_item, index) => `L${index}(L${index + 1} inner)`);
    let message: Record<string, unknown> = { value: 1 };
    for (let level = 0; level < 60; level++) message = { inner: message };
    const explanation = explainTyped(typedData(`${levels.join('')}L60(uint256 value)`, at(ALICE), message));
    expect(explanation.sections[0]!.lines.at(-1)!.value).toBe('1');
  });
});
