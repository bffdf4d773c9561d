/**
 * Asks the devnet's faucet, which this page's own server offers.
 *
 * @returns A message that says what arrived.
 * @throws If the faucet sent nothing.
 */
export async function askFaucet(address: string): Promise<string> {
  const response = await fetch('faucet', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  });
  if (!response.ok) throw new Error(`The faucet sent nothing (HTTP ${response.status}). Try again in a moment.`);
  return 'The faucet sent 10 test ETH.';
}
