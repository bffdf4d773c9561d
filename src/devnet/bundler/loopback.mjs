// Loaded into alto, which would listen on every interface and outlive the devnet if that were killed.
import { Server } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(options, ...rest) {
  return listen.call(this, typeof options === 'object' ? { ...options, host: '127.0.0.1' } : options, ...rest);
};

// Whoever started alto holds the other end of its standard input: it closes when that process is gone. The threads
// that alto starts, one for its log among them, load this too, and have a standard input that is closed from the start.
if (isMainThread) {
  process.stdin.resume();
  process.stdin.once('end', () => process.exit(0));
}
