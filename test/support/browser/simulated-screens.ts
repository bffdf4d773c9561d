import { join } from 'node:path';

import { type JSXElement } from '@metamask/snaps-sdk/jsx';
import { build } from 'esbuild';
import { type Locator, type Page } from 'playwright-core';

/** A page that browsers trust as much as one over https. */
const PAGE = 'http://localhost/';

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(process.cwd(), 'test/browser/page/wallet-screen.tsx')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    loader: { '.css': 'text' },
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
  });
  return outputFiles[0]!.text;
}

/** The class of what the snap draws in it. */
export const SIMULATED_SCREEN = 'body';

/** Screens of a snap in the dialog of the simulated wallet. */
export class SimulatedScreens {
  readonly page: Page;
  readonly #script: string;

  private constructor(page: Page, script: string) {
    this.page = page;
    this.#script = script;
  }

  /** @param page - Shows nothing else. */
  static async open(page: Page): Promise<SimulatedScreens> {
    // Answered here: nothing is served.
    await page.route(PAGE, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Wallet</title>' }),
    );
    return new SimulatedScreens(page, await bundled());
  }

  /** Shows a screen in a window of MetaMask's size. */
  async show(content: JSXElement, size = { width: 360, height: 600 }): Promise<Locator> {
    await this.page.setViewportSize(size);
    await this.page.goto(PAGE);
    await this.page.addScriptTag({ content: this.#script });
    await this.page.evaluate((json) => {
      (globalThis as unknown as { showScreen: (content: unknown) => void }).showScreen(JSON.parse(json));
    }, JSON.stringify(content));
    const screen = this.page.locator('dialog .body');
    await screen.waitFor();
    return screen;
  }
}
