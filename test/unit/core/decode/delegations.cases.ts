import { ZERO_ADDRESS } from '../../../../src/core/eth/address';
import { authorizationDigest, signedAuthorization } from '../../../../src/core/eth/authorization';
import { fromHex, type Hex } from '../../../../src/core/eth/bytes';
import { signDigest } from '../../../../src/core/eth/secp256k1';
import { type Transaction } from '../../../../src/core/eth/transaction';
import { DELEGATES } from '../../../../src/core/erc4337/delegates';
import { explainOwnCalls, explainTransaction } from '../../../../src/core/decode/explain/transaction';
import { BOB, NOW, saying } from '../../../support/explaining';
import { KEY, ME } from '../../../support/hostile/people';

/** An authorization of the sender. */
function authorization(address: Hex, nonce: bigint) {
  const one = { chainId: 1n, address, nonce };
  return signedAuthorization(one, signDigest(authorizationDigest(one), fromHex(KEY)));
}

/** A transaction with nonce 7. */
const transactionWith = (...list: [Hex, bigint][]): Transaction => ({
  type: 'eip7702',
  chainId: 1n,
  nonce: 7n,
  gasLimit: 100_000n,
  maxFeePerGas: 10n ** 9n,
  maxPriorityFeePerGas: 0n,
  to: BOB,
  value: 0n,
  data: '0x',
  accessList: [],
  authorizationList: list.map(([address, nonce]) => authorization(address, nonce)),
});

const explained = (...list: [Hex, bigint][]) => explainTransaction(transactionWith(...list), { signer: ME, now: NOW });
const simulated = (...list: [Hex, bigint][]) =>
  explained(...list).unresolved?.simulation?.delegations?.map(({ address }) => address);

const [FIRST, SECOND] = [DELEGATES['0.8'], DELEGATES['0.9']];

describe("several authorizations of the sender's own", () => {
  it('take effect one after the other, each with the next nonce', () => {
    const text = saying(explained([ZERO_ADDRESS, 8n], [SECOND, 9n]));
    expect(text).not.toContain('has no effect here');
    expect(simulated([ZERO_ADDRESS, 8n], [SECOND, 9n])).toEqual([ZERO_ADDRESS, SECOND]);
  });

  it('have no effect with any other nonce', () => {
    expect(saying(explained([FIRST, 9n]))).toContain('with nonce 9 has no effect here. It may take effect later.');
    expect(simulated([FIRST, 9n])).toEqual([]);
    // The first is skipped, so the nonce does not go up.
    expect(simulated([FIRST, 9n], [SECOND, 8n])).toEqual([SECOND]);
    expect(simulated([FIRST, 8n], [SECOND, 8n])).toEqual([FIRST]);
  });
});

describe('an upgrade of the own account', () => {
  const own = (...more: [{ authority: Hex; nonce: bigint }?]) =>
    saying(explainOwnCalls(transactionWith([FIRST, 8n]), FIRST, { signer: ME, now: NOW }, ...more));

  it('names the nonce of its authorization: that after the transaction, which uses up one itself', () => {
    expect(own()).toContain('Nonce: 7\n');
    expect(own()).toContain('Authorization nonce: 8\n');
    expect(own()).toContain("Until the account's nonce on this network is above 8.");
  });

  it('names the nonce of the account that is upgraded, if another one pays', () => {
    const paid = own({ authority: BOB, nonce: 3n });
    expect(paid).toContain('Authorization nonce: 3\n');
    expect(paid).toContain("Until the account's nonce on this network is above 3.");
  });
});

describe('a delegation that is taken back', () => {
  it('runs no code, which no other authorization is said to do', () => {
    const said = saying(explained([ZERO_ADDRESS, 8n], [FIRST, 9n]));
    expect(said).toContain('Authorization 1: runs: no code\n');
    expect(said).not.toContain('Authorization 2: runs: no code');
    expect(said).toMatch(new RegExp(`Authorization 2: runs[^\\n]*: ${FIRST}\n`, 'u'));
  });

  it('has its own title, with and without a preview', () => {
    const explanation = explainOwnCalls(transactionWith([ZERO_ADDRESS, 8n]), ZERO_ADDRESS, { signer: ME, now: NOW });
    expect(explanation.title).toBe('Take back the upgrade of your account');
    expect(explanation.unresolved?.explainWith({ outcome: { kind: 'succeeds' } }).title).toBe(explanation.title);
  });
});
