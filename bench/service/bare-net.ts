import { createServer } from 'node:net';

/*
 * The floor of any service on node:net: treats each chunk as a request, finds its body, parses it and answers with as
 * many bytes as an uncle has, and does nothing else. Not an HTTP server. `<port>`.
 */

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(1400) });
const head = ['HTTP/1.1 200 OK', 'content-type: application/json', `content-length: ${body.length}`];
const answer = `${head.join('\r\n')}\r\n\r\n${body}`;

createServer((socket) => {
  socket.setNoDelay();
  socket.on('error', () => socket.destroy());
  socket.on('data', (piece) => {
    const text = piece.toString('latin1');
    const sent = text.slice(text.indexOf('\r\n\r\n') + 4);
    if (sent !== '') JSON.parse(sent);
    socket.write(answer, 'latin1');
  });
}).listen(Number(process.argv[2]), '127.0.0.1');
