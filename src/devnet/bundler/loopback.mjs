// Loaded into alto, which would otherwise listen on every interface and outlive a killed devnet.
import { Server } from 'node:net';
import { isMainThread } from 'node:worker_threads';

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
