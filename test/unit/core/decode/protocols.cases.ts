import { expectExplained } from '../../../support/books';
import { codesOf, explainTyped, saying } from '../../../support/explaining';
import { toldWhole } from '../../../support/contract-metadata';
import { dataOf, PROTOCOLS } from '../../../support/protocols';

describe('typed data of real protocols', () => {
  it.each(PROTOCOLS.map((protocol) => [protocol.name, protocol] as const))('%s', async (_name, protocol) => {
    const explanation = await toldWhole(explainTyped(dataOf(protocol)));
    const text = saying(explanation);
    for (const part of protocol.says) expect(text).toContain(part);
    expect(codesOf(explanation)).toEqual(protocol.dangers ?? []);
    expectExplained(`protocol: ${protocol.name}`, explanation);
  });
});
