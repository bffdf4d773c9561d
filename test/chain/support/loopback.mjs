// Loaded into alto, which would listen on every interface: it listens on the loopback interface only.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(options, ...rest) {
  return listen.call(this, typeof options === 'object' ? { ...options, host: '127.0.0.1' } : options, ...rest);
};
