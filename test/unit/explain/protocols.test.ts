import { codesOf, explainTyped, saying } from '../../helpers/explaining';
import { dataOf, PROTOCOLS } from '../../helpers/protocols';

describe('typed data of real protocols', () => {
  it.each(PROTOCOLS.map((protocol) => [protocol.name, protocol] as const))('%s', (_name, protocol) => {
    const explanation = explainTyped(dataOf(protocol));
    const text = saying(explanation);
    for (const part of protocol.says) expect(text).toContain(part);
    expect(codesOf(explanation)).toEqual(protocol.dangers ?? []);
  });
});
