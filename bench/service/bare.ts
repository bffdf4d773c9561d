import { createServer } from 'node:http';

import { WebSocketServer } from 'ws';

/*
 * The floor of any service on node:http and ws: reads a request, parses it and answers with as many bytes as an uncle
 * has, and does nothing else. `<port>`.
 */

const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(1400) });

const server = createServer((request, response) => {
  let text = '';
  request
    .on('data', (piece: Buffer) => (text += piece.toString()))
    .on('end', () => {
      if (text !== '') JSON.parse(text);
      response.writeHead(200, ['content-type', 'application/json', 'content-length', String(answer.length)]);
      response.end(answer);
    });
});

new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    JSON.parse(data.toString());
    socket.send(answer);
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1');
