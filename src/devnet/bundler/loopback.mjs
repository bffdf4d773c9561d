// Loaded into alto, which would otherwise listen on every interface and outlive a killed devnet.
import { register } from 'node:module';
import { Server } from 'node:net';
import { isMainThread } from 'node:worker_threads';

// Sentry is not installed (`overrides` in package.json). Alto reports its errors there, which must not fail.
const NO_SENTRY = 'data:text/javascript,export const captureException = () => undefined;';
const HOOKS = `export const resolve = (specifier, context, next) =>
  specifier === '@sentry/node' ? { url: ${JSON.stringify(NO_SENTRY)}, shortCircuit: true } : next(specifier, context);`;
if (isMainThread) register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(options, ...rest) {
  return listen.call(this, typeof options === 'object' ? { ...options, host: '127.0.0.1' } : options, ...rest);
};

// The process that started alto holds the other end of its standard input, which closes when that process is gone.
// Threads of alto, such as its logger, also load this file and start with a closed standard input.
if (isMainThread) {
  process.stdin.resume();
  process.stdin.once('end', () => process.exit(0));
}
