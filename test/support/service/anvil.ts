import { type Anvil, startAnvil as start } from '../../../src/devnet/anvil';

const started: Anvil[] = [];

afterAll(async () => {
  for (const anvil of started.splice(0)) await anvil.stop();
});

/** The first account of anvil's well-known test phrase. */
const PRIVATE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** Starts an anvil on a free port. It is stopped after the test file. */
export async function startAnvil(): Promise<{ url: string; privateKey: typeof PRIVATE_KEY }> {
  const anvil = await start();
  started.push(anvil);
  return { url: anvil.url, privateKey: PRIVATE_KEY };
}
