import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { createClient, type Hash, http } from 'viem';

import { readQuantity } from '../model/read-fields';
import { useSession } from '../model/session';
import { ActionForm } from '../parts/action-form';
import { Facts } from '../parts/facts';
import { Field } from '../parts/field';

type Uncle = Readonly<Record<string, unknown>>;

async function lookUp({ url = '', block = '', index = '' }: Readonly<Record<string, string>>): Promise<Uncle> {
  if (!URL.canParse(url)) throw new Error('RPC URL: must be the URL of a node, such as http://127.0.0.1:8545/v3/KEY');
  const isHash = /^0x[0-9a-f]{64}$/iu.test(block);
  const position = readQuantity(index, 'Index');
  const { request } = createClient({ transport: http(url, { fetchOptions: { credentials: 'omit' }, retryCount: 0 }) });
  const uncle: Uncle | null = isHash
    ? await request({ method: 'eth_getUncleByBlockHashAndIndex', params: [block as Hash, position] })
    : await request({ method: 'eth_getUncleByBlockNumberAndIndex', params: [readQuantity(block, 'Block'), position] });
  if (uncle === null) throw new Error('This block has no uncle at this index. The first one has index 0.');
  return uncle;
}

const formatField = (name: string, value: unknown): string =>
  typeof value === 'string' && /^(?:number|timestamp|difficulty|gasUsed|gasLimit|size)$/u.test(name)
    ? BigInt(value).toString()
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** Looks up an uncle: a block header that was mined but lost to another at its height. */
export function Uncles(): VNode {
  const { devnet, chains } = useSession();
  const [uncle, setUncle] = useState<Uncle>();
  const example = devnet?.uncles?.example;
  return (
    <>
      <h1>Uncles</h1>
      <ActionForm
        busyText="Asking the node…"
        submit="Look up uncle"
        isMain
        class="panel form"
        work={async (values) => {
          setUncle(undefined);
          setUncle(await lookUp(values));
        }}
      >
        <Field
          label="RPC URL"
          name="url"
          value={devnet?.uncles?.rpcUrl ?? chains[0]?.rpcUrl ?? ''}
          hint="A Keystead service, or any other node that serves uncles"
        />
        <div class="fields">
          <Field label="Block" name="block" value={example?.block ?? ''} hint="Block number or hash" />
          <Field label="Index" name="index" value={example?.index ?? '0x0'} hint="0 is the first uncle" />
        </div>
      </ActionForm>
      {uncle === undefined ? null : (
        <section class="panel" aria-live="polite">
          <h2>Uncle</h2>
          <Facts
            facts={Object.entries(uncle).map(([name, value]) => [
              name,
              <code class="address">{formatField(name, value)}</code>,
            ])}
          />
        </section>
      )}
    </>
  );
}
