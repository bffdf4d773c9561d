import NodeEnvironment from './node.mjs';

/** Tells the hooks of a test whether it failed: what it left open in the wallet would fail those after it. */
export default class extends NodeEnvironment {
  async handleTestEvent(event, state) {
    await super.handleTestEvent?.(event, state);
    if (event.name === 'test_start') this.global.hasFailed = false;
    if (event.name === 'test_fn_failure') this.global.hasFailed = true;
  }
}
