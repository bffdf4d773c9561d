import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Runs `npm start` to its end. */
function npmStart(...parameters: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn('npm', ['start', '--silent', '--', ...parameters], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code, output });
    });
  });
}

describe('npm start', () => {
  it('runs the main job on real parts and says what it did', async () => {
    const { code, output } = await npmStart('--once', '--port', '0');
    for (const step of [
      'snap built',
      'snap served',
      'chain started',
      'snap started',
      'keyring_createAccount',
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_signTransaction (legacy)',
      'eth_signTransaction (EIP-2930)',
      'eth_signTransaction (EIP-1559)',
    ]) {
      expect(output).toContain(`  ok  ${step}`);
    }
    expect(output).toContain('Everything was signed by the snap and verified by code that is not ours.');
    expect(code).toBe(0);
  }, 120_000);

  it('says which port is taken and what to do', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const { code, output } = await npmStart('--once', '--port', String(port));
    taken.close();
    expect(output).toContain(`Port ${port} is taken. Choose another: npm start -- --port <number>`);
    expect(code).toBe(1);
  }, 120_000);

  it('refuses a port that is none', async () => {
    const { code, output } = await npmStart('--port', 'abc');
    expect(output).toContain('--port must be a number from 0 to 65535');
    expect(code).toBe(1);
  });
});
